import '#view/card.css';
import './edit.css';

import { PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import { storedId } from '#web/shared/http/storage.ts';
import type { EditDraft } from '#web/shared/profile/draft.ts';
import { useStoredDraft } from '#web/shared/profile/draft.ts';
import { useOwner } from '#web/shared/profile/profile.ts';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';

import { Form, Header } from './form.tsx';

/** docs/product.md#edit-profile. */
export function Page() {
  const profile = useOwner();
  const draft = useStoredDraft<EditDraft>('edit', storedId() ?? '');
  return profile && draft ? <Form profile={profile} stored={draft.value} /> : <EditSkeleton />;
}

function EditSkeleton() {
  return (
    <div className="edit">
      <Header />
      <main className="edit-main">
        <LoadingStatus>Your card is loading</LoadingStatus>
        <Skeleton className="edit-skeleton-photo" width="112px" height="112px" />
        <div className="edit-fields stack">
          {PROFILE_FIELD_NAMES.map((field) => (
            <div key={field} className={`edit-skeleton-field edit-field-${field} stack`}>
              <Skeleton width="96px" height="20px" />
              <Skeleton height={field === 'bio' ? '143px' : '48px'} />
            </div>
          ))}
        </div>
      </main>
    </div>
  );
}
