#!/usr/bin/env node
// rankconv-vectors MODULE PRESET: checks what a module exports under the names of metrics against a preset's vectors.
import { pathToFileURL } from "node:url";
import { check, definitions, metrics } from "./index.mjs";

const [module, preset] = process.argv.slice(2);
if (!module || !preset) {
  console.error("Usage: rankconv-vectors MODULE PRESET, such as: rankconv-vectors ./metrics.mjs recbole");
  process.exit(2);
}
const functions = await import(pathToFileURL(module));
let checked = 0;
let differing = 0;
for (const metric of metrics.filter((name) => typeof functions[name] === "function")) {
  for (const definition of Object.keys(definitions(metric)).filter((name) => name.startsWith(`${preset}:`))) {
    const { vectors, passed, differences } = check(metric, definition, functions[metric]);
    console.log(`${definition}: ${passed} of ${vectors} vectors pass`);
    for (const { vector, user, got, expected } of differences.slice(0, 3)) {
      console.log(`  ${vector}, ${user ? `user ${user}` : "mean"}: ${got}, expected ${expected}`);
    }
    checked += 1;
    differing += passed < vectors;
  }
}
if (!checked) console.error(`${module} exports no function under the name of a metric with vectors of ${preset}: ${metrics.join(", ")}`);
process.exit(checked ? Number(differing > 0) : 2);
