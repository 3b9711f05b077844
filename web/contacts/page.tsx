import { usePageTitle } from '#web/ui/page-title.ts';

import { ContactsSkeleton } from './skeleton.tsx';

/** The Contacts view (docs/product.md#contacts-view). */
export function Page() {
  usePageTitle('Contacts');
  return <ContactsSkeleton />;
}
