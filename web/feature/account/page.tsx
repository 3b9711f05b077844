import './account.css';

import { useState } from 'react';
import { useQuery, useMutation } from '@tanstack/react-query';
import { useLocation } from 'react-router';

import { getAccount, endOtherSessions, downloadAccount } from '#contract/account.ts';
import type { Account, AccountSession } from '#contract/account.ts';
import { PATHS } from '#domain/path.ts';
import { send } from '#web/shared/http/call.ts';
import { ownerQuery } from '#web/shared/http/query.ts';
import { useDownload } from '#web/shared/http/save-file.ts';
import { settings } from '#web/shared/http/settings.ts';
import { Button, LineIcon } from '#web/shared/ui/button.tsx';
import { arrivalPhrase } from '#web/shared/ui/date-text.ts';
import { Skeleton } from '#web/shared/ui/loading.tsx';
import { LoadState } from '#web/shared/ui/note-box.tsx';
import { PageFrame } from '#web/shared/ui/page-frame.tsx';

import { BringIn } from './bring-in-section.tsx';
import { CardAddress } from './card-address.tsx';
import { ChangePhone, DeleteAccount } from './verified.tsx';
import { OtherSoftware, isSoftwareConnected } from './webhook.tsx';
import { Passkeys } from './passkeys.tsx';
import { Section } from './section.tsx';

/** docs/develop/product.md#account. */
export function Page() {
  const query = useQuery(ownerQuery(getAccount));
  const { data, isFetched, refetch } = query;
  return (
    <PageFrame title="Account and data" backPath={PATHS.edit}>
      {!data && !isFetched && (
        <section className="account-section account-devices panel">
          <Skeleton width="9em" height="24px" />
          <Skeleton className="account-skeleton-row" height="76px" count={3} />
        </section>
      )}
      <LoadState
        query={query}
        loading="Your account is loading"
        sentence="We couldn't load your account. Check your network."
        offline="Your account needs a network. You'll see it when you're back online."
      />
      {data && <Sections account={data.body} onChanged={() => void refetch()} />}
    </PageFrame>
  );
}

interface SectionsProps {
  readonly account: Account;
  readonly onChanged: () => void;
}

function Sections({ account, onChanged }: SectionsProps) {
  const { state } = useLocation() as {
    state: { readonly isPhoneChanged?: boolean; readonly archiveToken?: string } | null;
  };
  const [isPhoneChanged, setPhoneChanged] = useState(state?.isPhoneChanged === true);
  const onPhoneChanged = () => {
    setPhoneChanged(true);
    onChanged();
  };
  return (
    <>
      <Sessions account={account} onChanged={onChanged} />
      <ChangePhone account={account} isChanged={isPhoneChanged} onChanged={onPhoneChanged} />
      <Passkeys account={account} isPhoneChanged={isPhoneChanged} />
      <CardAddress />
      <Download />
      <BringIn account={account} token={state?.archiveToken} />
      {settings().views.includes('contacts') && <OtherSoftware account={account} />}
      <DeleteAccount account={account} />
    </>
  );
}

const TITLE_ID = 'account-sessions';
const LOGGED_OUT_TEXTS = {
  none: "You're logged out everywhere else.",
  contacts: "You're logged out everywhere else, and other software no longer gets your contacts.",
};
const PHONE_SYSTEMS = /Android|iOS/;

function Sessions({ account, onChanged }: SectionsProps) {
  const endOthers = useMutation({
    mutationFn: async () => {
      const stopped = isSoftwareConnected() ? 'contacts' : 'none';
      await send(endOtherSessions);
      return stopped;
    },
    onSuccess: onChanged,
  });

  return (
    <section className="account-section account-devices panel" aria-labelledby={TITLE_ID}>
      <h2 id={TITLE_ID}>Signed in on</h2>
      <ul className="account-sessions">
        {account.sessions.map((session) => (
          <Session key={`${session.signedInAt} ${session.usedAt} ${session.device}`} {...session} />
        ))}
      </ul>
      <div className="account-action">
        <Button isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          Log out everywhere else
        </Button>
        <output className="account-message message">
          {endOthers.isSuccess ? LOGGED_OUT_TEXTS[endOthers.data] : endOthers.error?.message}
        </output>
      </div>
    </section>
  );
}

function Session({ device, signedInAt, usedAt, isCurrent }: AccountSession) {
  const [now] = useState(() => new Date());
  return (
    <li>
      <span className="account-icon corner-tile">
        <LineIcon name={PHONE_SYSTEMS.test(device) ? 'phone' : 'computer'} />
      </span>
      <div>
        <p className="account-device row">
          <span dir="auto">{device || 'Unknown device'}</span>
          {isCurrent && <span className="account-current tag">this device</span>}
        </p>
        <p className="note">
          Signed in {arrivalPhrase(new Date(signedInAt), now)}
          <br />
          Last used {arrivalPhrase(new Date(usedAt), now)}
        </p>
      </div>
    </li>
  );
}

const FILE_NAME = 'account-data.zip';

function Download() {
  const { isBusy, message, download } = useDownload();
  return (
    <Section
      icon="download"
      title="Your data"
      text="Your card, your photo, your contacts and your sessions in one ZIP file."
    >
      <a
        className="ui-button ui-button-outlined"
        // The download needs a header that a link cannot send. A new tab therefore shows this page instead.
        href={PATHS.account}
        aria-disabled={isBusy || undefined}
        onClick={(event) => {
          event.preventDefault();
          download(downloadAccount, {}, FILE_NAME);
        }}
      >
        Download everything
      </a>
      <output className="account-message message">{message}</output>
    </Section>
  );
}
