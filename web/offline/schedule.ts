/** Browsers without idle callbacks wait for this time. */
const IDLE_FALLBACK_MS = 500;

/** Resolves when the page has loaded and is idle, so that nothing delays its first view. */
export async function pageIsIdle(): Promise<void> {
  if (document.readyState !== 'complete') {
    await new Promise((resolve) => {
      window.addEventListener('load', resolve, { once: true });
    });
  }
  await new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve);
    else setTimeout(resolve, IDLE_FALLBACK_MS);
  });
}
