/** On narrow screens the navigation is in a menu, which is closed when the page is opened. */
export function addMenu(): void {
  const menu = document.querySelector("details.menu");
  const navigation = document.querySelector("nav");
  if (menu === null || navigation === null) return;
  menu.addEventListener("toggle", () => navigation.classList.toggle("open", menu.hasAttribute("open")));
  const current = navigation.querySelector("[aria-current]");
  const group = current?.closest("ul");
  if (current instanceof HTMLElement && group !== null)
    navigation.scrollTop = Math.max(0, current.offsetTop - navigation.clientHeight / 2);
}
