import { useEffect, useRef, useState } from 'react';

import { contactFile, deleteContact } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { mailHref, whatsappHref } from '#domain/href.ts';
import { contactFileName } from '#domain/vcard.ts';
import { Icon, NetworkIcon } from '#view/icon.tsx';
import { failureSentence } from '#web/http/failure.ts';
import { saveFile } from '#web/http/save-file.ts';
import { storedId } from '#web/http/session.ts';
import { arrivalText } from '#web/ui/arrival-text.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { usePhones } from '#web/ui/phone-text.ts';

import { DeleteButton } from '#web/ui/delete-button.tsx';
import { Note } from './note.tsx';
import { Tags } from './tags.tsx';
import { useCall } from '#web/http/use-call.ts';

export const DETAIL_TITLE_ID = 'contact-title';

interface DetailProps {
  readonly contact: OwnContact;
  readonly draft: string | undefined;
  readonly onDraft: (note: string | undefined) => void;
  readonly onDraftSaved: (sent: string) => void;
  readonly onChange: (patch: Partial<OwnContact>) => void;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

export function Detail(props: DetailProps) {
  const { contact, draft, onDraft, onDraftSaved, onChange, onDeleted, onClose } = props;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <article className="contact" aria-labelledby={DETAIL_TITLE_ID}>
      <header className="contact-head">
        <div>
          <h2 ref={title} id={DETAIL_TITLE_ID} tabIndex={-1} dir="auto">
            {contact.name}
          </h2>
          {contact.companyName !== '' && <p dir="auto">{contact.companyName}</p>}
        </div>
        <IconButton name="Close" icon="close" onClick={onClose} />
      </header>
      <Actions contact={contact} />
      <SaveToPhone contact={contact} />
      <Tags contact={contact} onSaved={(tags) => onChange({ tags })} />
      <Note
        contact={contact}
        draft={draft}
        onDraft={onDraft}
        onSaved={(note, sent) => {
          onChange({ note });
          onDraftSaved(sent);
        }}
      />
      <Origin contact={contact} />
      <Delete contact={contact} onDeleted={onDeleted} />
    </article>
  );
}

/** Only the label is the link's name. */
function Actions({ contact: { mobile, email } }: { readonly contact: OwnContact }) {
  const { formatPhone, phoneHref } = usePhones();
  const call = phoneHref(mobile);
  const whatsapp = whatsappHref(mobile);
  return (
    <ul className="contact-actions">
      {mobile !== '' && (
        <li>
          <Icon name="call" />
          {call === null ? 'Phone' : <a href={call}>Call</a>}
          <span dir="auto">{formatPhone(mobile)}</span>
        </li>
      )}
      {email !== '' && (
        <li>
          <Icon name="email" />
          <a href={mailHref(email)}>Email</a>
          <span dir="auto">{email}</span>
        </li>
      )}
      {whatsapp !== null && (
        <li>
          <NetworkIcon network="Whatsapp" iconBaseUrl="" />
          <a href={whatsapp} target="_blank" rel="noopener noreferrer nofollow ugc">
            Whatsapp
          </a>
        </li>
      )}
    </ul>
  );
}

function SaveToPhone({ contact: { _id, name } }: { readonly contact: OwnContact }) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const save = async () => {
    setBusy(true);
    setFailure('');
    const input = { params: { id: storedId() ?? '' }, query: { contact: _id } };
    const result = await saveFile(contactFile, input, contactFileName(name));
    setBusy(false);
    if (!result.isSaved) setFailure(failureSentence(result));
  };
  return (
    <div>
      <Button isBusy={isBusy} onClick={() => void save()}>
        Save to phone
      </Button>
      <output className="contact-failure">{failure}</output>
    </div>
  );
}

function Origin({ contact: { receivedAt, notice } }: { readonly contact: OwnContact }) {
  const [now] = useState(() => new Date());
  const received = new Date(receivedAt);
  return (
    <p className="contact-origin">
      Received{' '}
      <time dateTime={receivedAt} title={received.toLocaleString()}>
        {arrivalText(received, now)}
      </time>
      {notice !== '' && `, with the notice of version ${notice}`}
    </p>
  );
}

interface DeleteProps {
  readonly contact: OwnContact;
  readonly onDeleted: () => void;
}

function Delete({ contact, onDeleted }: DeleteProps) {
  const { isBusy, failure, run } = useCall();
  const remove = async () => {
    const input = { params: { id: storedId() ?? '' }, body: { contact: contact._id } };
    if (await run(deleteContact, input)) onDeleted();
  };
  return (
    <DeleteButton
      label="Delete contact"
      isBusy={isBusy}
      failure={failure}
      onClick={() => void remove()}
    />
  );
}
