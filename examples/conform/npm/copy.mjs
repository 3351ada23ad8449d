// Copies the vectors of the repository beside this file, for the package: npm calls it before it packs.
import { cpSync, rmSync } from "node:fs";

const folder = new URL("./vectors/", import.meta.url);
rmSync(folder, { recursive: true, force: true });
cpSync(new URL("../../../conventions/vectors/", import.meta.url), folder, { recursive: true });
