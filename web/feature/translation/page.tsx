import '#view/card.css';
import './translation.css';

import { useQuery } from '@tanstack/react-query';

import { PATHS } from '#domain/path.ts';
import { useIsOffline } from '#web/shared/http/query.ts';
import { storedId } from '#web/shared/http/storage.ts';
import { useStoredDraft } from '#web/shared/profile/draft.ts';
import { useOwner } from '#web/shared/profile/profile.ts';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { FailureBox } from '#web/shared/ui/note-box.tsx';
import { PageFrame } from '#web/shared/ui/page-frame.tsx';

import { Form } from './form.tsx';
import { translationsQuery } from './use-translations.ts';
import type { TranslationDraft } from './use-translations.ts';

/** docs/product.md#translations. */
export function Page() {
  const profile = useOwner();
  const translations = useQuery(translationsQuery());
  const draft = useStoredDraft<TranslationDraft>('translations', storedId() ?? '');
  const isOffline = useIsOffline();
  return (
    <PageFrame title="Other languages" backPath={PATHS.edit}>
      {translations.isLoadingError && (
        <FailureBox
          sentence={
            isOffline
              ? 'The translations of your card need a network. They appear when you are online again.'
              : 'The translations of your card could not be loaded. Check your network.'
          }
          onRetry={() => void translations.refetch()}
        />
      )}
      {!translations.isLoadingError &&
        (translations.data && profile && draft ? (
          <Form profile={profile} {...translations.data.body} stored={draft.value} />
        ) : (
          <TranslationsSkeleton />
        ))}
    </PageFrame>
  );
}

function TranslationsSkeleton() {
  return (
    <div className="translations stack">
      <LoadingStatus>The translations of your card are loading</LoadingStatus>
      <Skeleton height="480px" />
      <Skeleton className="translations-skeleton-card" height="560px" />
    </div>
  );
}
