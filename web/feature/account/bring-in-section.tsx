import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';

import type { Account } from '#contract/account.ts';
import { VerifyDialog } from '#web/shared/embedded/verify-dialog.tsx';
import { loadCode } from '#web/shared/http/request.ts';
import { returnTo } from '#web/shared/otp/interrupted.ts';
import { BRING_IN, verifyPath } from '#web/shared/otp/purpose.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { LoadingStatus } from '#web/shared/ui/loading.tsx';

import type { Archive } from './archive.ts';
import type { Outcome } from './bring-in.ts';
import { Section } from './section.tsx';
import { useVerification } from './verified.tsx';

interface BringInProps {
  readonly account: Account;
  /** The token of a third party's widget, which runs in a page of its own before the archive is chosen. */
  readonly token: string | undefined;
}

/** See docs/develop/product.md#bring-in-an-archive. */
export function BringIn({ account, token }: BringInProps) {
  const isReturned = () => token !== undefined || returnTo('Bring in') !== null;
  const dialog = useVerification(account, isReturned, () => verifyPath('archive'));
  const [result, setResult] = useState<(Outcome & { readonly link: string }) | null>(null);
  const navigate = useNavigate();
  const close = () => {
    dialog.close();
    // A reload would open the dialog again with a token that is used up.
    if (token !== undefined) void navigate('.', { replace: true });
  };
  return (
    <Section
      icon="share"
      title="Moving in"
      text="Bring your card and your contacts from another service like this one, with the ZIP from 'Download everything' there."
    >
      <Button onClick={() => dialog.open(true)}>Bring in an archive</Button>
      <output className="account-message message">
        {result && outcomeText(result)}
        {result && result.link !== '' && (
          <>
            <br />
            Your old card link: <bdi>{result.link}</bdi>. {KEEP_OLD}
          </>
        )}
      </output>
      {dialog.target && (
        <ArchiveDialog
          account={account}
          token={token}
          onDone={(outcome) => {
            setResult(outcome);
            close();
          }}
          onClose={close}
        />
      )}
    </Section>
  );
}

const KEEP_OLD =
  "Keep the old card until you've replaced everything that has its QR code printed on it. Receipts from the old service don't reach these copies.";
/** Keeps the tick while the company's login interrupts the dialog. A page cannot keep the file. */
const REPLACE = 'replace';
const CHOOSE_FIRST = 'Choose the archive first.';

const counted = (count: number, one: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : `${one}s`}`;

function outcomeText({ added, known, removed }: Outcome): string {
  const leftOut = [
    ...(known > 0 ? [`${counted(known, 'contact')} already here`] : []),
    ...(removed > 0
      ? [`${counted(removed, 'contact')} deleted here before, or beyond the limit for held ones`]
      : []),
  ];
  const end = leftOut.length > 0 ? ` Left out: ${leftOut.join(', ')}.` : '';
  return `You've moved in: your card, and ${counted(added, 'new contact')}.${end}`;
}

interface ArchiveDialogProps extends BringInProps {
  readonly onDone: (outcome: Outcome & { readonly link: string }) => void;
  readonly onClose: () => void;
}

function ArchiveDialog({ account, token, onDone, onClose }: ArchiveDialogProps) {
  const [isReplaced, setReplaced] = useState(returnTo('Bring in')?.typed === REPLACE);
  const [done, setDone] = useState<number | null>(null);
  const outcome = useRef<Outcome | null>(null);
  const reading = useMutation({
    mutationFn: async (file: File) => {
      const code = await loadCode(import('./bring-in.ts'));
      const archive = await code.openArchive(file);
      const bringIn = code.createBringIn(archive, setDone);
      return { archive, bringIn, missing: code.missingHere(archive) };
    },
    onMutate: () => setDone(null),
  });
  const { archive, bringIn, missing } = reading.data ?? {};
  return (
    <VerifyDialog
      purpose={BRING_IN}
      account={account}
      {...(token !== undefined && { phones: [] })}
      submitLabel="Bring in"
      typed={isReplaced ? REPLACE : ''}
      submit={async ([fresh = token ?? '']) => {
        if (!bringIn) throw new Error(CHOOSE_FIRST);
        outcome.current = await bringIn(fresh, isReplaced);
      }}
      onDone={() => outcome.current && onDone({ ...outcome.current, link: archive?.link ?? '' })}
      onClose={onClose}
    >
      <div className="field account-archive">
        <label className="stack">
          Archive
          <input
            type="file"
            accept=".zip,application/zip"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) reading.mutate(file);
            }}
          />
        </label>
      </div>
      {reading.isPending && <LoadingStatus>Reading the archive</LoadingStatus>}
      <p role="alert" className={reading.isError ? 'error' : undefined}>
        {reading.error?.message ?? (archive && `${contentText(archive)} ${missing}`)}
      </p>
      <ReplaceBox checked={isReplaced} onChange={setReplaced} />
      <output>
        {done !== null &&
          archive &&
          `${counted(done, 'contact')} of ${archive.contactCount.toLocaleString('en')}`}
      </output>
    </VerifyDialog>
  );
}

interface ReplaceBoxProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

const ReplaceBox = ({ checked, onChange }: ReplaceBoxProps) => (
  <label className="row account-archive">
    <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
    Replace what is here
  </label>
);

function contentText({ card, photo, logo, contactCount }: Archive): string {
  const languages = card.translations?.length ?? 0;
  const parts = [
    `The card of ${card.card?.name || 'Unknown'}`,
    ...(photo ? ['a photo'] : []),
    ...(logo ? ['a logo'] : []),
    ...(languages > 0 ? [counted(languages, 'translation')] : []),
    counted(contactCount, 'contact'),
  ];
  return `${parts.join(', ')}.`;
}
