// Names for the search button and toggles of the theme, and a tab stop for what scrolls.
addEventListener("DOMContentLoaded", () => {
  for (const button of document.querySelectorAll(".search-button-field")) {
    button.setAttribute("aria-label", button.textContent.replace(/\s+/g, " ").trim());
  }
  for (const toggle of document.querySelectorAll("summary:not([aria-label])")) {
    if (!toggle.textContent.trim()) toggle.setAttribute("aria-label", "Show the pages of this part");
  }
  for (const part of document.querySelectorAll(".rankconv :is(math, dd, pre), .cell_output pre")) {
    if (part.scrollWidth > part.clientWidth) part.setAttribute("tabindex", "0");
  }
});

// Metrics are found without their cutoff, nDCG@10 as nDCG: before the search begins, which waits for the document.
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const query = Search.query;
  Search.query = (words) => query.call(Search, words.replace(/@\d+(?!\S)/g, ""));
});

// Tables of presets show the rows that have the words and the settings that are chosen.
addEventListener("DOMContentLoaded", () => {
  const made = (tag, properties) => Object.assign(document.createElement(tag), properties);
  for (const part of document.querySelectorAll(".filtered")) {
    const table = part.querySelector("table"), rows = [...table.tBodies[0].rows];
    if (rows.length < 3) continue;
    const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim());
    const words = made("input", { type: "search", placeholder: "Words in a row, such as trec_eval" });
    words.setAttribute("aria-label", "Words in a row");
    const counted = made("output", {}), choices = new Map();
    const shown = () => {
      const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        const chosen = [...choices].every(([place, { value }]) => !value || row.cells[place].textContent === value);
        row.hidden = !chosen || !wanted.every((word) => text.includes(word));
      }
      counted.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
    };
    const line = made("tr", {});
    for (const [place, head] of heads.entries()) {
      const cell = made("td", {}), values = [...new Set(rows.map((row) => row.cells[place].textContent))].sort();
      if (place > 0) {
        const choice = made("select", {});
        choice.setAttribute("aria-label", `Setting of ${head}`);
        choice.append(...["", ...values].map((value) => made("option", { value, textContent: value || "all" })));
        choice.addEventListener("change", shown);
        choices.set(place, choice);
        cell.append(choice);
      }
      line.append(cell);
    }
    table.tHead.append(line);
    const bar = made("p", { className: "filter" });
    bar.append(words, counted);
    words.addEventListener("input", shown);
    part.prepend(bar);
    shown();
  }
});
