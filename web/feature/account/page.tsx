import './account.css';

import { useState } from 'react';

import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';

import { getAccount } from '#contract/account.ts';
import type { Account } from '#contract/account.ts';
import { PATHS } from '#domain/path.ts';
import { ownerQuery, useIsOffline } from '#web/shared/http/query.ts';
import { settings } from '#web/shared/http/settings.ts';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { FailureBox } from '#web/shared/ui/note-box.tsx';
import { PageFrame } from '#web/shared/ui/page-frame.tsx';

import { CardAddress } from './card-address.tsx';
import { Download } from './download.tsx';
import { Sessions } from './sessions.tsx';
import { ChangePhone, DeleteAccount } from './verified.tsx';
import { OtherSoftware } from './webhook.tsx';

/** docs/product.md#account. */
export function Page() {
  const { data, isPending, isLoadingError, refetch } = useQuery(ownerQuery(getAccount));
  const isOffline = useIsOffline();
  return (
    <PageFrame title="Account and data" backPath={PATHS.edit}>
      {isPending && <AccountSkeleton />}
      {isLoadingError && (
        <FailureBox
          sentence={
            isOffline
              ? 'Your account needs a network. It appears when you are online again.'
              : 'Your account could not be loaded. Check your network.'
          }
          onRetry={() => void refetch()}
        />
      )}
      {data && <Sections account={data.body} onChanged={() => void refetch()} />}
    </PageFrame>
  );
}

interface SectionsProps {
  readonly account: Account;
  readonly onChanged: () => void;
}

function Sections({ account, onChanged }: SectionsProps) {
  const { state } = useLocation() as { state: { readonly isPhoneChanged?: boolean } | null };
  const [isPhoneChanged, setPhoneChanged] = useState(state?.isPhoneChanged === true);
  const onPhoneChanged = () => {
    setPhoneChanged(true);
    onChanged();
  };
  return (
    <>
      <Sessions sessions={account.sessions} onChanged={onChanged} />
      <ChangePhone account={account} isChanged={isPhoneChanged} onChanged={onPhoneChanged} />
      <CardAddress />
      {settings().views.includes('contacts') && <OtherSoftware account={account} />}
      <Download />
      <DeleteAccount account={account} />
    </>
  );
}

function AccountSkeleton() {
  return (
    <section className="account-section account-devices panel">
      <LoadingStatus>Your account is loading</LoadingStatus>
      <Skeleton width="9em" height="24px" />
      <Skeleton className="account-skeleton-row" height="76px" />
      <Skeleton className="account-skeleton-row" height="76px" />
      <Skeleton className="account-skeleton-row" height="76px" />
    </section>
  );
}
