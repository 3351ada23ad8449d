// A harness in JavaScript: recall, precision, reciprocal rank, average precision and NDCG as many tools write them.
import { createInterface } from "node:readline";

const byUser = (rows) => {
  const users = new Map();
  for (const [user, item, value] of rows) {
    if (!users.has(user)) users.set(user, []);
    users.get(user).push([item, Number(value)]);
  }
  return users;
};

const dcg = (gains) => gains.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0);
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** Each metric of one user: the grade of each row in the first k, the grades of the relevant labels, and k. */
const METRICS = {
  precision: (grades, relevant, k) => grades.filter((grade) => grade > 0).length / (k ?? grades.length),
  recall: (grades, relevant) => grades.filter((grade) => grade > 0).length / relevant.length,
  hit_rate: (grades) => (grades.some((grade) => grade > 0) ? 1 : 0),
  mrr: (grades) => 1 / (grades.findIndex((grade) => grade > 0) + 1 || Infinity),
  map: (grades, relevant) => {
    let hits = 0;
    return sum(grades.map((grade, place) => (grade > 0 ? ++hits / (place + 1) : 0))) / relevant.length;
  },
  ndcg: (grades, relevant, k) => dcg(grades) / dcg(relevant.toSorted((a, b) => b - a).slice(0, k ?? undefined)),
};

function reply({ id, metric, k, labels, run }) {
  const value = METRICS[metric];
  if (!value) return { id, unsupported: `no ${metric}` };
  const rankings = byUser(run);
  const users = {};
  for (const [user, pairs] of byUser(labels)) {
    const known = new Map(pairs);
    const relevant = [...known.values()].filter((grade) => grade > 0);
    if (!relevant.length) continue; // users without a relevant label are left out
    const rows = (rankings.get(user) ?? []).toSorted((a, b) => b[1] - a[1]);
    const top = rows.slice(0, k ?? rows.length);
    const grades = top.map(([item]) => Math.max(known.get(item) ?? 0, 0));
    users[user] = value(grades, relevant, k);
  }
  const values = Object.values(users);
  return { id, users, mean: values.length ? sum(values) / values.length : null };
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(reply(JSON.parse(line))));
}
