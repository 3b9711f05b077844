import { useMutation, useQuery } from '@tanstack/react-query';

import type { Account } from '#contract/account.ts';
import { getPasskeys, removePasskey } from '#contract/passkey.ts';
import type { Passkey } from '#contract/passkey.ts';
import { PASSKEYS_FULL, PASSKEYS_MAX, passkeyHost } from '#domain/passkey.ts';
import { VerifyDialog } from '#web/shared/embedded/verify-dialog.tsx';
import { send } from '#web/shared/http/call.ts';
import { ownerQuery } from '#web/shared/http/query.ts';
import { settings } from '#web/shared/http/settings.ts';
import { returnTo } from '#web/shared/otp/interrupted.ts';
import { ADD_PASSKEY, REMOVE_PASSKEY, verifyPath } from '#web/shared/otp/purpose.ts';
import { createPasskey } from '#web/shared/passkey/passkey.ts';
import { canUsePasskeys } from '#web/shared/passkey/support.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { fullDayText } from '#web/shared/ui/date-text.ts';
import { LoadState } from '#web/shared/ui/note-box.tsx';

import { Section } from './section.tsx';
import { useVerification } from './verified.tsx';

const dayText = (day: string) => fullDayText(new Date(`${day}T00:00`));

interface PasskeysProps {
  readonly account: Account;
  readonly isPhoneChanged: boolean;
}

/** docs/develop/product.md#passkeys. */
export function Passkeys({ account, isPhoneChanged }: PasskeysProps) {
  const query = useQuery(ownerQuery(getPasskeys));
  const passkeys = query.data?.body.passkeys ?? [];
  const isFull = passkeys.length >= PASSKEYS_MAX;
  const dialog = useVerification(account, interrupted, (target) =>
    target === 'new' ? verifyPath('add') : `${verifyPath('remove')}&passkey=${target.id}`,
  );
  const reload = () => void query.refetch();
  const add = useMutation({
    mutationFn: () => createPasskey(),
    onSuccess: (isAdded) => (isAdded ? reload() : dialog.open('new')),
  });
  if (passkeyHost(settings().publicUrl, location.origin) === null) return null;
  return (
    <Section
      isGroup
      icon="account"
      title="Passkeys"
      text="Sign in with your fingerprint, your face or your screen lock instead of a code."
    >
      <LoadState
        query={query}
        loading="Your passkeys are loading"
        sentence="We couldn't load your passkeys."
      />
      {isPhoneChanged && passkeys.length > 0 && (
        <output>Is each of these passkeys still yours? Remove any that isn't.</output>
      )}
      <PasskeyList passkeys={passkeys} onRemove={dialog.open} />
      {canUsePasskeys() && (
        <Button
          isBusy={add.isPending}
          disabled={!query.data || isFull}
          onClick={() => add.mutate()}
        >
          Add a passkey
        </Button>
      )}
      <p aria-live="polite" className={`account-message message ${add.isError ? 'error' : ''}`}>
        {isFull ? PASSKEYS_FULL : add.error?.message}
      </p>
      {dialog.target !== null && (
        <PasskeyDialog
          account={account}
          verified={dialog.target}
          onDone={reload}
          onClose={dialog.close}
        />
      )}
    </Section>
  );
}

/** The passkey that is about to be removed, or 'new' for one that is about to be added. */
type Verified = Pick<Passkey, 'id'> | 'new';

/** Returns what the company's login has interrupted. */
function interrupted(): Verified | null {
  const removal = returnTo(REMOVE);
  if (removal) return { id: removal.typed };
  return returnTo(ADD) && 'new';
}

const ADD = 'Add';
const REMOVE = 'Remove';

interface PasskeyDialogProps extends Pick<PasskeysProps, 'account'> {
  readonly verified: Verified;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function PasskeyDialog({ account, verified, onDone, onClose }: PasskeyDialogProps) {
  const isNew = verified === 'new';
  const submit = ([token]: readonly string[]) =>
    isNew ? createPasskey(token) : send(removePasskey, { body: { passkey: verified.id, token } });
  return (
    <VerifyDialog
      purpose={isNew ? ADD_PASSKEY : REMOVE_PASSKEY}
      account={account}
      submitLabel={isNew ? ADD : REMOVE}
      typed={isNew ? '' : verified.id}
      submit={submit}
      onDone={() => {
        onClose();
        onDone();
      }}
      onClose={onClose}
    />
  );
}

interface PasskeyListProps {
  readonly passkeys: readonly Passkey[];
  readonly onRemove: (passkey: Passkey) => void;
}

function PasskeyList({ passkeys, onRemove }: PasskeyListProps) {
  if (passkeys.length === 0) return null;
  return (
    <ul className="account-passkeys">
      {passkeys.map((passkey) => {
        const { id, name: given, addedDay, usedDay } = passkey;
        const name = given || 'Unknown device';
        return (
          <li key={id} className="row">
            <div>
              <p dir="auto">{name}</p>
              <p className="note">
                Added {dayText(addedDay)}
                {usedDay !== null && <>, last used {dayText(usedDay)}</>}
              </p>
            </div>
            <Button
              variant="plain"
              aria-label={`Remove ${name}, added ${dayText(addedDay)}`}
              onClick={() => onRemove(passkey)}
            >
              Remove
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
