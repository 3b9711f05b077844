import { useEffect, useState } from 'react';
import type { RefObject } from 'react';

import { useMutation, useQuery } from '@tanstack/react-query';

import { ADDED_MAX, checkContacts } from '#contract/contacts-view.ts';
import { VCARD_TYPES } from '#domain/share.ts';
import { send } from '#web/shared/http/call.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { onSubmit } from '#web/shared/ui/field.tsx';
import { LoadingStatus, Skeleton } from '#web/shared/ui/loading.tsx';
import { FailureBox } from '#web/shared/ui/note-box.tsx';
import { usePhoneFormat } from '#web/shared/ui/phone-text.ts';

import { EventField, eventTags } from './contact-form.tsx';
import { withToggled } from './selection.tsx';
import { readFile, takeSharedFile } from './import-file.ts';
import type { ParsedFile } from './import-file.ts';
import { LeftOut, Summary } from './import-summary.tsx';
import type { PersonStatus } from './import-summary.tsx';
import { sendContacts } from './waiting.ts';

interface ImportContactsProps {
  /** The hidden input, whose click chooses a file. */
  readonly input: RefObject<HTMLInputElement | null>;
  /** Whether a file was shared with the installed application. */
  readonly isShared: boolean;
  readonly onClose: () => void;
}

export function ImportContacts({ input, isShared, onClose }: ImportContactsProps) {
  const { mutate, data, variables, isIdle, isPending, isError, reset } = useMutation({
    meta: { isSave: false },
    mutationFn: (open: () => Promise<Blob | null>) => open().then(readFile),
  });
  useEffect(() => {
    if (isShared) mutate(takeSharedFile);
  }, [isShared, mutate]);
  const choose = () => input.current?.click();
  const file = typeof data === 'object' && data.people.length > 0 ? data : null;
  const close = () => {
    reset();
    onClose();
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={VCARD_TYPES.join(',')}
        aria-label="vCard file"
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          if (chosen) mutate(async () => chosen);
          // Without this, choosing the same file again would fire no event.
          target.value = '';
        }}
      />
      {!isIdle && (
        <Dialog title="Import contacts" className="dialog panel dialog-wide" onClose={close}>
          {isPending && <Progress>Reading the file</Progress>}
          {file && (
            <Preview
              file={file}
              isFromShareTarget={variables === takeSharedFile}
              onImported={close}
            />
          )}
          {!isPending && !file && (
            <>
              <p role="alert">{isError ? "We can't read this file." : sentenceOf(data)}</p>
              {typeof data === 'object' && <LeftOut file={data} />}
              <p className="muted">
                {`You can import vCard files (.vcf) of up to 20 MB, ${ADDED_MAX} people at a time.`}
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

const sentenceOf = (data: ParsedFile | string | undefined) =>
  typeof data === 'object' ? 'Nobody in this file has a mobile number or an email.' : data;

function Progress({ children }: { readonly children: string }) {
  return (
    <>
      <LoadingStatus>{children}</LoadingStatus>
      <Skeleton height="240px" />
    </>
  );
}

interface PreviewProps {
  readonly file: ParsedFile;
  /** If true, nobody is ticked at first, because any website can post a file to the share target. */
  readonly isFromShareTarget: boolean;
  readonly onImported: () => void;
}

/** Compares the people with the owner's contacts. The result is in the order of the file. */
function useStatuses({ people, cutIds }: ParsedFile) {
  return useQuery({
    queryKey: ['checked', people[0]?.clientId],
    queryFn: async () => {
      const contacts = people.map(({ mobile, email }) => ({ mobile, email }));
      const { body } = await send(checkContacts, { body: { contacts } });
      const [known, same] = [new Set(body.known), new Set(body.same)];
      return people.map(({ clientId }, index): PersonStatus => {
        if (known.has(index)) return 'Already there';
        if (same.has(index)) return 'Same person';
        return cutIds.has(clientId) ? 'Cut off' : 'New';
      });
    },
    gcTime: 0,
  });
}

function Preview({ file, isFromShareTarget, onImported }: PreviewProps) {
  const { people } = file;
  const { formatPhone } = usePhoneFormat();
  /** Positions whose tick box was pressed an odd number of times. */
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const checking = useStatuses(file);
  const statuses = checking.data ?? [];
  const isChosen = (index: number) =>
    (statuses[index] === 'New' && !isFromShareTarget) !== toggled.has(index);
  const chosen = people.filter((_, index) => isChosen(index));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => sendContacts(chosen.map((one) => ({ ...one, tags: eventTags() }))),
    onSuccess: onImported,
  });
  if (checking.isError)
    return <FailureBox sentence={checking.error.message} onRetry={() => void checking.refetch()} />;
  if (!checking.data) return <Progress>Comparing the contacts</Progress>;
  return (
    <form onSubmit={onSubmit(() => !isPending && chosen.length > 0 && mutate())}>
      <Summary file={file} statuses={statuses} onSelect={isFromShareTarget ? setToggled : null} />
      <div className="import-list">
        <ul>
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
                    {[companyName, mobile || email]
                      .filter((text) => text !== '' && text !== name)
                      .map((text) => (text === mobile ? formatPhone(text) : text))
                      .join(' · ')}
                  </span>
                </span>
                <span className={statuses[index] === 'New' ? 'tag' : 'tag muted'}>
                  {statuses[index]}
                </span>
              </label>
            </li>
          ))}
        </ul>
        <LeftOut file={file} />
      </div>
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
