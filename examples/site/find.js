// The theme's own search is a dialog without a name.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
// The box on the front page: leaves of all links those whose words begin like every word that is typed.
(() => {
  const box = document.querySelector("#find-a-page"), all = document.querySelector(".all");
  if (!box || !all) return;
  const plain = (text) => text.toLowerCase().normalize("NFKD");
  const parts = (text) => plain(text).split(/[^\p{L}\p{N}]+/u);
  const links = [...all.querySelectorAll("li")].map((one) => [one, parts(one.textContent), plain(one.textContent)]);
  const status = document.querySelector("#found");
  const fits = (wanted, words, whole) => wanted.every((part) => words.some((one) => one.startsWith(part)) || whole.includes(` ${part}`));
  const find = () => {
    const wanted = plain(box.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const [one, words, whole] of links) {
      const found = fits(wanted, words, whole);
      one.hidden = !found;
      count += found;
    }
    all.classList.toggle("finding", wanted.length > 0);
    for (const part of all.querySelectorAll("section")) part.hidden = !part.querySelector("li:not([hidden])");
    status.textContent = wanted.length ? `${count} found` : "";
  };
  box.addEventListener("input", find);
  box.addEventListener("keydown", (event) => {
    const first = all.querySelector("li:not([hidden]) a");
    if (event.key === "Enter" && first) location.href = first.href;
  });
  find();
})();
