// The conformance vectors of rankconv, and a runner: which of them does a function of yours pass?
import { existsSync, readdirSync, readFileSync } from "node:fs";

const own = new URL("./vectors/", import.meta.url);
/** The folder of the vectors: in the package a copy, in a checkout that of the repository. */
const FOLDER = existsSync(own) ? own : new URL("../../../conventions/vectors/", import.meta.url);
const OTHERS = ["data.json", "schema.json", "reports.json"];

const read = (name) => JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
const DATA = read("data.json").data;

/** The names of the metrics that have vectors. */
export const metrics = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json") && !OTHERS.includes(name))
  .map((name) => name.slice(0, -5))
  .sort();

/** The names of the definitions of a metric, each with its signature. */
export function definitions(metric) {
  return Object.fromEntries(Object.entries(file(metric).definitions).map(([name, { signature }]) => [name, signature]));
}

/** The vectors of a definition, such as "recbole:ndcg@3": { id, k, labels, run, mean, users, tolerance }. */
export function vectors(metric, definition) {
  const { definitions: known, vectors: every } = file(metric);
  if (!Object.hasOwn(known, definition)) {
    throw new Error(`no vector of ${metric} is of '${definition}'. These are: ${Object.keys(known).join(", ")}`);
  }
  return every.flatMap(({ id, data, k, tolerance, expected }) =>
    expected
      .filter((one) => one.definitions.includes(definition))
      .map(({ mean, users }) => ({ id, k, ...DATA[data], mean, users, tolerance: Number(tolerance) })),
  );
}

/**
 * Evaluate the vectors of a definition, and compare.
 *
 * `evaluate({ labels, run, k })` gets rows [user, item, value] with values as numbers, in the order of the run, and
 * returns { mean, users }: null, undefined or NaN is no value. Where it throws, it refuses the data.
 */
export function check(metric, definition, evaluate) {
  const differences = [];
  const every = vectors(metric, definition);
  for (const { id, k, labels, run, mean, users, tolerance } of every) {
    let found;
    try {
      found = evaluate({ labels: rows(labels), run: rows(run), k });
    } catch (error) {
      found = { mean: undefined, users: {}, error };
    }
    for (const user of new Set([...Object.keys(users), ...Object.keys(found.users ?? {})])) {
      compare(id, user, found.users?.[user], users[user], tolerance);
    }
    compare(id, "", found.mean, mean, tolerance);
  }
  const differing = new Set(differences.map(({ vector }) => vector));
  return { vectors: every.length, passed: every.length - differing.size, differences };

  function compare(vector, user, got, expected, tolerance) {
    const [ours, theirs] = [number(got), number(expected)];
    const same = Number.isNaN(ours) ? Number.isNaN(theirs) : Math.abs(ours - theirs) <= tolerance * Math.max(1, Math.abs(theirs));
    if (!same) differences.push({ vector, user, got: ours, expected: theirs });
  }
}

function file(metric) {
  if (!metrics.includes(metric)) throw new Error(`there are no vectors of '${metric}'. These have some: ${metrics.join(", ")}`);
  return read(`${metric}.json`);
}

/** A value as a number; NaN for none, such as { state: "skipped" }. */
function number(value) {
  return typeof value === "number" || typeof value === "string" ? Number(value) : NaN;
}

function rows(given) {
  return given.map(([user, item, value]) => [user, item, Number(value)]);
}
