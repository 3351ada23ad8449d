(() => {
  const number = (text) => Number(text.replace(/,/g, "").replace(/[%*]$/, "").replace("−", "-"));
  const compared = (one, other, sign) => {
    const [a, b] = [one, other].map((text) => (text === "" ? NaN : number(text)));
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
})();
