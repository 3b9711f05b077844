import { onCLS, onINP, onLCP } from 'web-vitals';

/** Once, when the page is hidden (docs/product.md#calls). */
export function sendVitals(url: string): void {
  /** `lcp` and `inp` in milliseconds; 0 if nothing was measured. */
  const vitals = { lcp: 0, cls: 0, inp: 0 };
  onLCP(({ value }) => (vitals.lcp = value));
  onCLS(({ value }) => (vitals.cls = value));
  onINP(({ value }) => (vitals.inp = value));
  const send = () => {
    if (document.visibilityState !== 'hidden') return;
    removeEventListener('visibilitychange', send);
    // The path without the query, which may contain a phone.
    navigator.sendBeacon(url, JSON.stringify({ ...vitals, path: location.pathname }));
  };
  // web-vitals reports in the capture phase of the same event, so this listener runs after it.
  addEventListener('visibilitychange', send);
}
