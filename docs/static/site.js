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
