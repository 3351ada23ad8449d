// Sorts tables by the buttons in their heads, and opens folds on paper.
(() => {
  const number = (text) => {
    const found = text.match(/^[<>≈±\s]*([-+−]?[\d,]*\.?\d+(?:e[-+]?\d+)?)(?=$|[\s*%≠[(])/i);
    return found ? Number(found[1].replace(/,/g, "").replace("−", "-")) : NaN;
  };
  const compared = (one, other, sign) => {
    const [a, b] = [one, other].map(number);
    if (!Number.isNaN(a) && !Number.isNaN(b)) return sign * (a - b);
    if (Number.isNaN(a) !== Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
    return sign * one.localeCompare(other);
  };
  const sorted = (table, place, falling) => {
    const body = table.tBodies[0], rows = [...body.rows];
    const text = (row) => row.cells[place].textContent.trim();
    rows.sort((a, b) => compared(text(a), text(b), falling ? -1 : 1));
    body.append(...rows);
  };
  const root = document.currentScript.parentElement;
  for (const head of root.querySelectorAll("thead th")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const falling = head.getAttribute("aria-sort") === "ascending", table = head.closest("table");
      for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      sorted(table, head.cellIndex, falling);
    });
  }
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...root.querySelectorAll("details:not([open])")];
    for (const fold of opened) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of opened.splice(0)) fold.open = false;
  });
})();
