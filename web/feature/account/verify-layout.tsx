import '#web/shared/otp/otp.css';
import '#web/shared/otp/widget.css';
import styleUrl from './account.css?url';

import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';

export function VerifyLayout() {
  return (
    <main className="account-verify">
      <link rel="stylesheet" href={styleUrl} precedence="view" />
      <div className="account-dialog">
        <h1 className="visually-hidden">Account and data</h1>
        <LoadingStatus>Your account is loading</LoadingStatus>
        <Skeleton className="account-skeleton-title" />
        <Skeleton className="account-skeleton-row" />
      </div>
    </main>
  );
}
