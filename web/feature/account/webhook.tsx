import { useState } from 'react';

import { useMutation, useQuery } from '@tanstack/react-query';

import type { Account } from '#contract/account.ts';
import {
  WEBHOOK_URL_LENGTH_MAX,
  getWebhook,
  renewSecret,
  testWebhook,
  updateWebhook,
} from '#contract/webhook.ts';
import type { Webhook } from '#contract/webhook.ts';
import { VerifyDialog } from '#web/shared/embedded/verify-dialog.tsx';
import { send } from '#web/shared/http/call.ts';
import { ownerQuery, queryClient } from '#web/shared/http/query.ts';
import { CONNECT_SOFTWARE } from '#web/shared/otp/purpose.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { arrivalPhrase } from '#web/shared/ui/date-text.ts';
import { Field } from '#web/shared/ui/field.tsx';

import { Section } from './section.tsx';

const webhookQuery = () => ownerQuery(getWebhook);
const reload = () => queryClient.invalidateQueries({ queryKey: webhookQuery().queryKey });
/** A delivery is listed as soon as its receiver has answered. */
const POLL_MS = 3000;
const NONE: Webhook = { url: null, deliveries: [] };

type Confirmation = 'connect' | 'secret';

/** docs/product.md#webhooks. */
export function OtherSoftware({ account }: { readonly account: Account }) {
  const { data } = useQuery({
    ...webhookQuery(),
    refetchInterval: ({ state }) => (state.data?.body.url ? POLL_MS : false),
  });
  const [typed, setTyped] = useState<string | null>(null);
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null);
  const [secret, setSecret] = useState('');
  const { url, deliveries } = data?.body ?? NONE;
  const text = typed ?? url ?? '';
  const finish = () => {
    setConfirmation(null);
    setTyped(null);
    void reload();
  };
  return (
    <Section
      isGroup
      icon="share"
      title="Connect other software"
      text="Sends each of your contacts to an address of yours, such as a CRM's, but never a private note."
    >
      <AddressForm
        text={text}
        canVerify={account.verification === 'code'}
        onChange={setTyped}
        onSubmit={() => setConfirmation('connect')}
      />
      {url !== null && (
        <Actions
          onNewSecret={() => setConfirmation('secret')}
          onStopped={() => {
            setSecret('');
            finish();
          }}
        />
      )}
      {secret !== '' && (
        <p className="account-message">
          The secret, shown only now: <code className="account-secret">{secret}</code>
        </p>
      )}
      <Deliveries deliveries={deliveries} />
      {confirmation && (
        <VerifyDialog
          purpose={CONNECT_SOFTWARE}
          phones={[{ hint: `It ends with ${account.phoneEnd}.` }]}
          submitLabel={confirmation === 'secret' ? 'New secret' : 'Connect'}
          send={async ([token]) => {
            const { body } = await makeSecret(confirmation === 'secret' ? null : text, token);
            setSecret(body.secret ?? '');
          }}
          onDone={finish}
          onClose={() => setConfirmation(null)}
        />
      )}
    </Section>
  );
}

interface AddressFormProps {
  readonly text: string;
  readonly canVerify: boolean;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
}

function AddressForm({ text, canVerify, onChange, onSubmit }: AddressFormProps) {
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Field
        label="Address"
        type="url"
        placeholder="https://"
        autoComplete="off"
        lengthMax={WEBHOOK_URL_LENGTH_MAX}
        value={text}
        note={canVerify ? '' : 'It needs one-time codes of this service itself.'}
        onChange={onChange}
      />
      <Button type="submit" disabled={!canVerify || text.trim() === ''}>
        Connect
      </Button>
    </form>
  );
}

/** Null keeps the address. */
function makeSecret(url: string | null, token: string | undefined) {
  return url === null
    ? send(renewSecret, { body: { token } })
    : send(updateWebhook, { body: { url, token } });
}

interface ActionsProps {
  readonly onNewSecret: () => void;
  readonly onStopped: () => void;
}

function Actions({ onNewSecret, onStopped }: ActionsProps) {
  const stop = useMutation({
    mutationFn: () => send(updateWebhook, { body: { url: null, token: null } }),
    onSuccess: onStopped,
  });
  const test = useMutation({
    mutationFn: () => send(testWebhook, { body: {} }),
    onSuccess: reload,
  });
  const error = stop.error ?? test.error;
  return (
    <>
      <div className="row">
        <Button variant="plain" isBusy={test.isPending} onClick={() => test.mutate()}>
          Send a test
        </Button>
        <Button variant="plain" onClick={onNewSecret}>
          New secret
        </Button>
        <Button variant="plain" isBusy={stop.isPending} onClick={() => stop.mutate()}>
          Stop
        </Button>
      </div>
      <p aria-live="polite" className={`account-message message ${error ? 'error' : ''}`}>
        {error?.message ?? (test.isSuccess && 'The test is sent.')}
      </p>
    </>
  );
}

function Deliveries({ deliveries }: Pick<Webhook, 'deliveries'>) {
  const [now] = useState(() => new Date());
  if (deliveries.length === 0) return null;
  return (
    <table className="account-deliveries note">
      <caption>Deliveries</caption>
      <thead>
        <tr>
          {['Type', 'Time', 'Status'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {deliveries.map(({ id, type, time, status }) => (
          <tr key={id}>
            <td>{type}</td>
            <td>{arrivalPhrase(new Date(time), now)}</td>
            <td>{status}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
