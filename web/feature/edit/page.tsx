import '#view/card.css';
import './edit.css';

import { PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import { useOwner } from '#web/shared/profile/profile-store.ts';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';

import { Form, Header } from './form.tsx';

/** docs/product.md#edit-profile. */
export function Page() {
  const profile = useOwner();
  return profile ? <Form profile={profile} /> : <EditSkeleton />;
}

function EditSkeleton() {
  return (
    <div className="edit">
      <Header />
      <main className="edit-main">
        <LoadingStatus>Your card is loading</LoadingStatus>
        <Skeleton className="edit-skeleton-photo" />
        <div className="edit-fields">
          {PROFILE_FIELD_NAMES.map((field) => (
            <div key={field} className={`edit-skeleton-field edit-field-${field}`}>
              <Skeleton className="edit-skeleton-label" />
              <Skeleton className={`edit-skeleton-input edit-skeleton-${field}`} />
            </div>
          ))}
        </div>
      </main>
    </div>
  );
}
