import '#view/card.css';
import './face.css';

import { getFaces } from '#contract/faces.ts';
import { PATHS } from '#domain/path.ts';
import { useIsOffline } from '#web/shared/http/use-is-offline.ts';
import { useOwner } from '#web/shared/profile/profile-store.ts';
import { useOwnerReply } from '#web/shared/profile/use-owner-reply.ts';
import { versionTag } from '#web/shared/profile/version-tag.ts';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { FailureBox } from '#web/shared/ui/note-box.tsx';
import { PageFrame } from '#web/shared/ui/page-frame.tsx';

import { Form } from './form.tsx';

/** docs/product.md#faces. */
export function Page() {
  const profile = useOwner();
  const { state, retry } = useOwnerReply(getFaces);
  const isOffline = useIsOffline();
  return (
    <PageFrame title="Other languages" backPath={PATHS.edit}>
      {state.kind === 'failed' && (
        <FailureBox
          sentence={
            isOffline
              ? 'The other faces of your card need a network. They appear when you are online again.'
              : 'The other faces of your card could not be loaded. Check your network.'
          }
          onRetry={retry}
        />
      )}
      {state.kind !== 'failed' && (profile === null || state.kind === 'loading') && (
        <FacesSkeleton />
      )}
      {state.kind === 'ready' && profile && (
        <Form profile={profile} loaded={{ ...state.reply, etag: versionTag(state.headers) }} />
      )}
    </PageFrame>
  );
}

function FacesSkeleton() {
  return (
    <div className="faces">
      <LoadingStatus>The faces of your card are loading</LoadingStatus>
      <Skeleton className="faces-skeleton-form" />
      <Skeleton className="faces-skeleton-card" />
    </div>
  );
}
