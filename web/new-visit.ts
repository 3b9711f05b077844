/**
 * Begins a visit without the state of the one before. Browsers keep the entry of the history, and
 * what it carries, for whoever goes to the very address that they are at; a reload is meant to.
 */
export function beginVisit(): void {
  const [navigation] = performance.getEntriesByType('navigation');
  const isNew = navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate';
  if (isNew) history.replaceState(null, '');
}
