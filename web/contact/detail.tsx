import { useEffect, useRef, useState } from 'react';

import { contactFile, deleteContact } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { contactFileName } from '#domain/vcard.ts';
import { failureSentence } from '#web/http/failure.ts';
import { saveFile } from '#web/http/save-file.ts';
import { storedId } from '#web/http/session.ts';
import { arrivalText } from '#web/ui/arrival-text.ts';
import { IconButton } from '#web/ui/button.tsx';
import { ContactActions, SaveToPhoneButton } from '#web/ui/contact-actions.tsx';

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
      <ContactActions contact={contact} />
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

function SaveToPhone({ contact: { _id, name } }: { readonly contact: OwnContact }) {
  const save = async () => {
    const input = { params: { id: storedId() ?? '' }, query: { contact: _id } };
    const result = await saveFile(contactFile, input, contactFileName(name));
    return result.isSaved ? '' : failureSentence(result);
  };
  return <SaveToPhoneButton save={save} />;
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
