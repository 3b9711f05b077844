import { usePageTitle } from '#web/ui/page-title.ts';

import { AnalyticsSkeleton } from './skeleton.tsx';

/** The Analytics view (docs/product.md#analytics-view). */
export function Page() {
  usePageTitle('Analytics');
  return <AnalyticsSkeleton />;
}
