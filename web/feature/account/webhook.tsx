import { useState } from 'react';
import type { ReactNode } from 'react';

import { useMutation, useQuery } from '@tanstack/react-query';

import type { Account } from '#contract/account.ts';
import type { Reply } from '#contract/endpoint.ts';
import {
  WEBHOOK_URL_LENGTH_MAX,
  getWebhook,
  renewSecret,
  testWebhook,
  updateWebhook,
} from '#contract/webhook.ts';
import type { Webhook } from '#contract/webhook.ts';
import { extractLink } from '#domain/link.ts';
import { VerifyDialog } from '#web/shared/embedded/verify-dialog.tsx';
import { send } from '#web/shared/http/call.ts';
import { ownerQuery, queryClient } from '#web/shared/http/query.ts';
import { returnTo } from '#web/shared/otp/interrupted.ts';
import { CONNECT_SOFTWARE } from '#web/shared/otp/purpose.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { arrivalPhrase } from '#web/shared/ui/date-text.ts';
import { Field, onSubmit } from '#web/shared/ui/field.tsx';
import { LoadState } from '#web/shared/ui/note-box.tsx';

import { Section } from './section.tsx';

const webhookQuery = () => ownerQuery(getWebhook);
const reloadWebhook = () => queryClient.invalidateQueries({ queryKey: webhookQuery().queryKey });
/** The list is requested this often, because a delivery is listed as soon as its receiver has answered. */
const POLL_MS = 3000;

const useWebhook = () =>
  useQuery({
    ...webhookQuery(),
    refetchInterval: ({ state }) => (state.data?.body.url ? POLL_MS : false),
  });

/** Returns false while the section is still loading. */
export const isSoftwareConnected = (): boolean =>
  Boolean(queryClient.getQueryData(webhookQuery().queryKey)?.body.url);

const LOAD_TEXTS = {
  loading: 'Your webhook is loading',
  sentence: "We couldn't load your webhook.",
};

/** docs/develop/product.md#webhooks. */
export function OtherSoftware({ account }: { readonly account: Account }) {
  const query = useWebhook();
  const { url = null, deliveries = [] } = query.data?.body ?? {};
  const [interrupted] = useState(() => returnTo('Connect') ?? returnTo('New secret'));
  const [typed, setTyped] = useState<string | null>(interrupted?.typed ?? null);
  const [action, setAction] = useState<string | null>(interrupted?.dialog ?? null);
  const [secret, setSecret] = useState('');
  const text = typed ?? url ?? '';
  const finish = (newSecret: string) => {
    setSecret(newSecret);
    setTyped(null);
    void reloadWebhook();
  };
  const verify = async ([token]: readonly string[]) => {
    const isNew = action === 'Connect';
    const { body } = await (isNew
      ? send(updateWebhook, { body: { url: text, token } })
      : send(renewSecret, { body: { token } }));
    finish(body.secret ?? '');
  };
  return (
    <Section
      isGroup
      icon="share"
      title="Connect other software"
      text="Sends your contacts to your own URL, such as your CRM's. Private notes are never sent."
    >
      <LoadState {...LOAD_TEXTS} query={query} />
      <details open={interrupted !== null}>
        <summary>{url === null ? 'Set up a webhook' : 'Connected'}</summary>
        <WebhookForm
          text={text}
          isLoaded={query.data !== undefined}
          canVerify={account.verification !== 'widget'}
          onChange={setTyped}
          onConnect={() => setAction('Connect')}
        >
          {url !== null && (
            <Actions onNewSecret={() => setAction('New secret')} onStopped={() => finish('')} />
          )}
        </WebhookForm>
        {secret !== '' && <Secret secret={secret} />}
        <Deliveries deliveries={deliveries} now={new Date(query.dataUpdatedAt)} />
      </details>
      {action !== null && (
        <VerifyDialog
          purpose={CONNECT_SOFTWARE}
          account={account}
          submitLabel={action}
          typed={text}
          submit={verify}
          onDone={() => setAction(null)}
          onClose={() => setAction(null)}
        />
      )}
    </Section>
  );
}

function Secret({ secret }: { readonly secret: string }) {
  return (
    <p className="account-message">
      Your secret, shown only once: <code className="account-secret">{secret}</code>
    </p>
  );
}

interface WebhookFormProps {
  readonly text: string;
  readonly isLoaded: boolean;
  readonly canVerify: boolean;
  readonly onChange: (text: string) => void;
  readonly onConnect: () => void;
  readonly children: ReactNode;
}

function WebhookForm(props: WebhookFormProps) {
  const { text, isLoaded, canVerify, onChange, onConnect, children } = props;
  return (
    <form className="stack" onSubmit={onSubmit(onConnect)}>
      <Field
        label="Webhook URL"
        type="url"
        placeholder="https://"
        autoComplete="off"
        lengthMax={WEBHOOK_URL_LENGTH_MAX}
        isIdentifier
        pickFromLines={extractLink}
        value={text}
        disabled={!isLoaded}
        note={
          canVerify
            ? ''
            : 'You can set up a webhook only if this service sends its own one-time codes.'
        }
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
      if (action === 'test') return testSentence((await send(testWebhook, { body: {} })).body);
      await send(updateWebhook, { body: { url: null } });
      return '';
    },
    onSuccess: (_, action) => (action === 'test' ? reloadWebhook() : onStopped()),
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
        {act.isError ? act.error.message : act.data}
      </p>
    </>
  );
}

const testSentence = ({ isSent, status }: Reply<typeof testWebhook>) =>
  isSent ? 'Test sent.' : status && `The test failed: ${status}.`;

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
