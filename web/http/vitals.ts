import { settings } from './settings.ts';

interface Vitals {
  /** Largest contentful paint, in milliseconds. */
  lcp: number;
  /** Cumulative layout shift, without unit. */
  cls: number;
  /** The longest interaction, in milliseconds. */
  inp: number;
}

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
}

/** Measures the page's web vitals and sends them once, as it is left, where the settings say. */
export function reportVitals(): void {
  const { vitalsUrl } = settings();
  if (vitalsUrl === '') return;
  const vitals: Vitals = { lcp: 0, cls: 0, inp: 0 };
  observe('largest-contentful-paint', (entry) => {
    vitals.lcp = entry.startTime;
  });
  observe('layout-shift', (entry) => {
    const shift = entry as LayoutShift;
    if (!shift.hadRecentInput) vitals.cls += shift.value;
  });
  observe('event', (entry) => {
    vitals.inp = Math.max(vitals.inp, entry.duration);
  });
  document.addEventListener(
    'visibilitychange',
    // Without the query, which may hold a phone.
    () => navigator.sendBeacon(vitalsUrl, JSON.stringify({ ...vitals, path: location.pathname })),
    { once: true },
  );
}

function observe(type: string, see: (entry: PerformanceEntry) => void): void {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return;
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(see));
  observer.observe({ type, buffered: true });
}
