import type { TestApp } from './app.ts';

export const METRICS_TOKEN = 'a-token-of-the-operator';

export const metricsRequest = {
  url: '/metrics',
  headers: { authorization: `Bearer ${METRICS_TOKEN}` },
};

/** Returns the values of a metric in the text of /metrics, by their labels. */
export function metricValues(text: string, name: string): Record<string, number> {
  const lines = [...text.matchAll(new RegExp(`^${name}(\\{.*\\})? (\\S+)$`, 'gm'))];
  return Object.fromEntries(lines.map(([, labels = '', value]) => [labels, Number(value)]));
}

export const readMetric = async ({ app }: Pick<TestApp, 'app'>, name: string) =>
  metricValues((await app.inject(metricsRequest)).body, name);
