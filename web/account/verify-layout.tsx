import '#web/otp/otp.css';
import '#web/otp/widget.css';
import './account.css';

import { LoadingStatus, Skeleton } from '#web/ui/loading.tsx';

export function VerifyLayout() {
  return (
    <main className="account-verify">
      <div className="account-dialog">
        <h1 className="visually-hidden">Account and data</h1>
        <LoadingStatus>Your account is loading</LoadingStatus>
        <Skeleton className="account-skeleton-title" />
        <Skeleton className="account-skeleton-row" />
      </div>
    </main>
  );
}
