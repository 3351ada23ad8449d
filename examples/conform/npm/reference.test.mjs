import assert from "node:assert/strict";
import { test } from "node:test";
import { check, definitions, metrics, vectors } from "./index.mjs";
import * as reference from "./reference.mjs";

for (const metric of ["ndcg", "map", "mrr", "precision", "recall"]) {
  test(`the reference of ${metric} passes its vectors`, () => {
    const { passed, differences } = check(metric, `recbole:${metric}@3`, reference[metric]);
    assert.deepEqual(differences, []);
    assert.ok(passed >= 10);
  });
  test(`${metric} with ranks from 0 fails`, () => {
    const wrong = ({ run, ...others }) => reference[metric]({ ...others, run: run.flatMap((row) => [[row[0], "?", 0], row]) });
    assert.notEqual(check(metric, `recbole:${metric}@3`, wrong).differences.length, 0);
  });
}

test("a function that refuses, or has no value, is compared as such", () => {
  const refuses = () => {
    throw new Error("no");
  };
  const refused = check("ndcg", "ranx:ndcg@3", refuses);
  assert.ok(refused.passed > 0 && refused.passed < refused.vectors);
});

test("names that are not there are refused with those that are", () => {
  assert.throws(() => vectors("ndgc", "x"), /there are no vectors of 'ndgc'.*ndcg/);
  assert.throws(() => vectors("ndcg", "recbole:ndcg@7"), /no vector of ndcg is of 'recbole:ndcg@7'.*recbole:ndcg@3/);
  assert.ok(metrics.includes("ndcg") && !metrics.includes("data"));
  assert.match(definitions("ndcg")["recbole:ndcg@3"], /^ndcg@3\|/);
});
