import { useState } from 'react';
import type { ReactNode } from 'react';

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
import { Field, onSubmit } from '#web/shared/ui/field.tsx';

import { Section } from './section.tsx';

const webhookQuery = () => ownerQuery(getWebhook);
const reload = () => queryClient.invalidateQueries({ queryKey: webhookQuery().queryKey });
/** A delivery is listed as soon as its receiver has answered. */
const POLL_MS = 3000;

/** docs/product.md#webhooks. */
export function OtherSoftware({ account }: { readonly account: Account }) {
  const { data, dataUpdatedAt } = useQuery({
    ...webhookQuery(),
    refetchInterval: ({ state }) => (state.data?.body.url ? POLL_MS : false),
  });
  const { url = null, deliveries = [] } = data?.body ?? {};
  const [typed, setTyped] = useState<string | null>(null);
  const [verified, setVerified] = useState<'Connect' | 'New secret' | null>(null);
  const [secret, setSecret] = useState('');
  const text = typed ?? url ?? '';
  const finish = (newSecret: string) => {
    setSecret(newSecret);
    setTyped(null);
    void reload();
  };
  const verify = async ([token]: readonly string[]) => {
    const { body } =
      verified === 'Connect'
        ? await send(updateWebhook, { body: { url: text, token } })
        : await send(renewSecret, { body: { token } });
    finish(body.secret ?? '');
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
        onConnect={() => setVerified('Connect')}
      >
        {url !== null && (
          <Actions onNewSecret={() => setVerified('New secret')} onStopped={() => finish('')} />
        )}
      </AddressForm>
      {secret !== '' && (
        <p className="account-message">
          The secret, shown only now: <code className="account-secret">{secret}</code>
        </p>
      )}
      <Deliveries deliveries={deliveries} now={new Date(dataUpdatedAt)} />
      {verified !== null && (
        <VerifyDialog
          purpose={CONNECT_SOFTWARE}
          phones={[{ hint: `It ends with ${account.phoneEnd}.` }]}
          submitLabel={verified}
          send={verify}
          onDone={() => setVerified(null)}
          onClose={() => setVerified(null)}
        />
      )}
    </Section>
  );
}

interface AddressFormProps {
  readonly text: string;
  readonly canVerify: boolean;
  readonly onChange: (text: string) => void;
  readonly onConnect: () => void;
  readonly children: ReactNode;
}

function AddressForm({ text, canVerify, onChange, onConnect, children }: AddressFormProps) {
  return (
    <form className="stack" onSubmit={onSubmit(onConnect)}>
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
      <div className="row">
        <Button type="submit" disabled={!canVerify || text.trim() === ''}>
          Connect
        </Button>
        {children}
      </div>
    </form>
  );
}

interface ActionsProps {
  readonly onNewSecret: () => void;
  readonly onStopped: () => void;
}

function Actions({ onNewSecret, onStopped }: ActionsProps) {
  const act = useMutation({
    mutationFn: async (action: 'test' | 'stop') => {
      if (action === 'test') await send(testWebhook, { body: {} });
      else await send(updateWebhook, { body: { url: null } });
    },
    onSuccess: (_, action) => (action === 'test' ? reload() : onStopped()),
  });
  return (
    <>
      <Button variant="plain" isBusy={act.isPending} onClick={() => act.mutate('test')}>
        Send a test
      </Button>
      <Button variant="plain" onClick={onNewSecret}>
        New secret
      </Button>
      <Button variant="plain" isBusy={act.isPending} onClick={() => act.mutate('stop')}>
        Stop
      </Button>
      <p aria-live="polite" className={`account-message message ${act.isError ? 'error' : ''}`}>
        {act.isError
          ? act.error.message
          : act.isSuccess && act.variables === 'test' && 'The test is sent.'}
      </p>
    </>
  );
}

function Deliveries({ deliveries, now }: Pick<Webhook, 'deliveries'> & { readonly now: Date }) {
  if (deliveries.length === 0) return null;
  return (
    <details open className="account-message note">
      <summary>Deliveries</summary>
      {deliveries.map(({ id, type, time, status }) => (
        <p key={id}>
          {type}, {arrivalPhrase(new Date(time), now)}: {status}
        </p>
      ))}
    </details>
  );
}
