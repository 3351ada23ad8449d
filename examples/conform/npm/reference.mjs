// NDCG, MAP, MRR, precision and recall of the first k rows, by one definition: that of RecBole.
//
// A grade above 0 is relevant, and all relevant items count the same. Lists are in the order given, and a repeated item
// counts each time. A user without a relevant label is left out of the mean; one without a list has 0.

/** The metric of one user, from which of the first k rows are hits, the number of relevant items, and k. */
const OF_HITS = {
  precision: (hits, relevant, k) => count(hits) / k,
  recall: (hits, relevant) => count(hits) / relevant,
  mrr: (hits) => (hits.includes(true) ? 1 / (hits.indexOf(true) + 1) : 0),
  map(hits, relevant, k) {
    const precisions = hits.map((hit, place) => (hit ? count(hits.slice(0, place + 1)) / (place + 1) : 0));
    return sum(precisions) / Math.min(k, relevant);
  },
  ndcg: (hits, relevant, k) => dcg(hits) / dcg(Array(Math.min(k, relevant)).fill(true)),
};

const sum = (values) => values.reduce((total, value) => total + value, 0);
const count = (hits) => hits.filter(Boolean).length;
const dcg = (hits) => sum(hits.map((hit, place) => (hit ? 1 / Math.log2(place + 2) : 0)));

/** The function of a metric: { labels, run, k }, rows [user, item, value], to { mean, users }. */
function reference(ofHits) {
  return ({ labels, run, k }) => {
    const relevant = grouped(labels.filter(([, , grade]) => grade > 0));
    const lists = grouped(run);
    const users = {};
    for (const [user, items] of relevant) {
      const wanted = new Set(items);
      const hits = (lists.get(user) ?? []).slice(0, k).map((item) => wanted.has(item));
      users[user] = ofHits(hits, wanted.size, k);
    }
    const values = Object.values(users);
    return { mean: values.length ? sum(values) / values.length : undefined, users };
  };
}

function grouped(rows) {
  const found = new Map();
  for (const [user, item] of rows) {
    if (!found.has(user)) found.set(user, []);
    found.get(user).push(item);
  }
  return found;
}

export const precision = reference(OF_HITS.precision);
export const recall = reference(OF_HITS.recall);
export const mrr = reference(OF_HITS.mrr);
export const map = reference(OF_HITS.map);
export const ndcg = reference(OF_HITS.ndcg);
