import '#view/card.css';
import './translation.css';

import { useQuery } from '@tanstack/react-query';

import { PATHS } from '#domain/path.ts';
import { useIsOffline } from '#web/shared/http/use-is-offline.ts';
import { storedId } from '#web/shared/http/session.ts';
import { useStoredDraft } from '#web/shared/profile/draft.ts';
import { useOwner } from '#web/shared/profile/profile.ts';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { FailureBox } from '#web/shared/ui/note-box.tsx';
import { PageFrame } from '#web/shared/ui/page-frame.tsx';

import { Form } from './form.tsx';
import { facesQuery } from './use-translations.ts';
import type { FaceDraft } from './use-translations.ts';

/** docs/product.md#faces. */
export function Page() {
  const profile = useOwner();
  const faces = useQuery(facesQuery());
  const draft = useStoredDraft<FaceDraft>('faces', storedId() ?? '');
  const isOffline = useIsOffline();
  return (
    <PageFrame title="Other languages" backPath={PATHS.edit}>
      {faces.isLoadingError && (
        <FailureBox
          sentence={
            isOffline
              ? 'The other faces of your card need a network. They appear when you are online again.'
              : 'The other faces of your card could not be loaded. Check your network.'
          }
          onRetry={() => void faces.refetch()}
        />
      )}
      {!faces.isLoadingError &&
        (faces.data && profile && draft ? (
          <Form profile={profile} {...faces.data.body} stored={draft.value} />
        ) : (
          <FacesSkeleton />
        ))}
    </PageFrame>
  );
}

function FacesSkeleton() {
  return (
    <div className="faces stack">
      <LoadingStatus>The faces of your card are loading</LoadingStatus>
      <Skeleton height="480px" />
      <Skeleton className="faces-skeleton-card" height="560px" />
    </div>
  );
}
