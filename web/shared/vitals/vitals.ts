import { onCLS, onINP, onLCP } from 'web-vitals';

/** Sends the vitals once, when the page is hidden (docs/develop/product.md#calls). */
export function sendVitals(url: string): void {
  /** `lcp` and `inp` are in milliseconds. A value is 0 if nothing was measured. */
  const vitals = { lcp: 0, cls: 0, inp: 0 };
  onLCP(({ value }) => (vitals.lcp = value));
  onCLS(({ value }) => (vitals.cls = value));
  onINP(({ value }) => (vitals.inp = value));
  const send = () => {
    if (document.visibilityState !== 'hidden') return;
    removeEventListener('visibilitychange', send);
    // The path is sent without the query, which may contain a phone.
    navigator.sendBeacon(url, JSON.stringify({ ...vitals, path: location.pathname }));
  };
  // web-vitals reports in the capture phase of the same event, so this listener runs after it.
  addEventListener('visibilitychange', send);
}
