import { useEffect, useRef, useState } from 'react';

import { useMutation, useQuery } from '@tanstack/react-query';

import { ADDED_MAX, checkContacts } from '#contract/contacts-view.ts';
import type { NewOwnContact } from '#contract/contacts-view.ts';
import { isIncompleteLead } from '#domain/lead.ts';
import { OWNER_CACHE } from '#domain/offline.ts';
import { SHARE_TARGET_PATH, VCARD_TYPES } from '#domain/share.ts';
import { send } from '#web/shared/http/call.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { onSubmit } from '#web/shared/ui/field.tsx';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { FailureBox } from '#web/shared/ui/note-box.tsx';
import { usePhones } from '#web/shared/ui/phone-text.ts';

import { EventField, eventTags, newClientId } from './contact-form.tsx';
import { withToggled } from './selection.tsx';
import { decodeVcards, readVcards } from './read-vcards.ts';
import { sendAdded } from './waiting.ts';

const FILE_SIZE_BYTES_MAX = 20_000_000;

interface ImportContactsProps {
  /** Whether a file was shared with the installed application. */
  readonly isShared: boolean;
  readonly onClose: () => void;
}

export function ImportContacts({ isShared, onClose }: ImportContactsProps) {
  const input = useRef<HTMLInputElement>(null);
  const { mutate, data, isIdle, isError, reset } = useMutation({
    mutationFn: (open: () => Promise<Blob | null>) => open().then(readPeople),
  });
  useEffect(() => {
    if (isShared) mutate(takeShared);
  }, [isShared, mutate]);
  const choose = () => input.current?.click();
  const close = () => {
    reset();
    onClose();
  };
  return (
    <>
      <Button onClick={choose}>Import contacts</Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={VCARD_TYPES.join(',')}
        aria-label="vCard file"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) mutate(async () => file);
          // Otherwise choosing the same file again fires no event.
          target.value = '';
        }}
      />
      {!isIdle && (
        <Dialog title="Import contacts" className="dialog panel dialog-wide" onClose={close}>
          {typeof data === 'object' ? (
            <Preview people={data} onImported={close} />
          ) : (
            <>
              <p role="alert">{isError ? 'This file cannot be read.' : data}</p>
              <p className="muted">
                {`It is a vCard file (.vcf), with at most ${ADDED_MAX} people and 20 MB.`}
              </p>
              <div className="dialog-actions">
                <Button type="submit" variant="main" onClick={choose}>
                  Choose a file
                </Button>
              </div>
            </>
          )}
        </Dialog>
      )}
    </>
  );
}

/** The file that the service worker has received; null for none. */
async function takeShared(): Promise<Blob | null> {
  // Absent over plain HTTP.
  if (!('caches' in globalThis)) return null;
  const cache = await caches.open(OWNER_CACHE);
  const response = await cache.match(SHARE_TARGET_PATH);
  await cache.delete(SHARE_TARGET_PATH);
  return (await response?.blob()) ?? null;
}

/** Or the sentence why the file cannot be imported. */
async function readPeople(file: Blob | null): Promise<readonly NewOwnContact[] | string> {
  if (file === null) return 'Choose the file again.';
  if (file.size > FILE_SIZE_BYTES_MAX) return 'This file is too large: at most 20 MB.';
  const all = readVcards(decodeVcards(new Uint8Array(await file.arrayBuffer())));
  const people = all.filter((lead) => !isIncompleteLead(lead));
  if (people.length === 0) return 'Nobody in this file has a name and a mobile or an email.';
  if (people.length > ADDED_MAX)
    return `This file has ${people.length} people. At most ${ADDED_MAX} can be imported at once.`;
  return people.map((lead) => ({
    ...lead,
    clientId: newClientId(),
    tags: [],
    source: 'imported',
  }));
}

interface PreviewProps {
  readonly people: readonly NewOwnContact[];
  readonly onImported: () => void;
}

/** The positions of those who are there already. */
function useKnown(people: PreviewProps['people']) {
  return useQuery({
    queryKey: ['checked', people[0]?.clientId],
    queryFn: async () => {
      const contacts = people.map(({ mobile, email }) => ({ mobile, email }));
      const { body } = await send(checkContacts, { body: { contacts } });
      return new Set(body.known);
    },
    gcTime: 0,
  });
}

function Preview({ people, onImported }: PreviewProps) {
  const { formatPhone } = usePhones();
  /** Positions whose tick box was pressed an odd number of times. */
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const checking = useKnown(people);
  const known = checking.data ?? new Set<number>();
  const isChosen = (index: number) => known.has(index) === toggled.has(index);
  const chosen = people.filter((_, index) => isChosen(index));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sendAdded(chosen.map((one) => ({ ...one, tags: eventTags() }))),
    onSuccess: onImported,
  });
  if (checking.isError)
    return <FailureBox sentence={checking.error.message} onRetry={() => void checking.refetch()} />;
  if (!checking.data)
    return (
      <>
        <LoadingStatus>The contacts are compared</LoadingStatus>
        <Skeleton height="240px" />
      </>
    );
  return (
    <form onSubmit={onSubmit(() => !isPending && chosen.length > 0 && mutate())}>
      <ul className="import-list">
        {people.map(({ clientId, name, mobile, email, companyName }, index) => (
          <li key={clientId}>
            <label className="row">
              <input
                type="checkbox"
                checked={isChosen(index)}
                onChange={() => setToggled(withToggled(toggled, index))}
              />
              <span>
                <bdi className="clamp">{name}</bdi>
                <span className="muted">
                  {[companyName === name ? '' : companyName, formatPhone(mobile) || email]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
              <span className="tag">{known.has(index) ? 'Already there' : 'New'}</span>
            </label>
          </li>
        ))}
      </ul>
      <EventField />
      <output className="error">{error?.message}</output>
      <div className="dialog-actions">
        <Button type="submit" variant="main" isBusy={isPending} disabled={chosen.length === 0}>
          {`Import ${chosen.length} ${chosen.length === 1 ? 'contact' : 'contacts'}`}
        </Button>
      </div>
    </form>
  );
}
