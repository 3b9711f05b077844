import ezvcard.Ezvcard;
import ezvcard.VCard;
import ezvcard.property.Email;
import ezvcard.property.FormattedName;
import ezvcard.property.Note;
import ezvcard.property.Organization;
import ezvcard.property.Photo;
import ezvcard.property.RawProperty;
import ezvcard.property.StructuredName;
import ezvcard.property.Telephone;
import ezvcard.property.Title;
import ezvcard.property.Url;
import ezvcard.property.VCardProperty;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Reads vCards; writes a line for each property and an empty line after each vCard. */
class ReadVcards {
  public static void main(String[] args) throws Exception {
    String text = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    for (VCard card : Ezvcard.parse(text).all()) {
      line("version", List.of(card.getVersion().getVersion()));
      for (VCardProperty property : card.getProperties()) write(property);
      System.out.println();
    }
  }

  static void write(VCardProperty property) {
    if (property instanceof StructuredName name) line("n", List.of(or(name.getFamily()), or(name.getGiven())));
    else if (property instanceof FormattedName name) line("fn", List.of(name.getValue()));
    else if (property instanceof Title title) line("title", List.of(title.getValue()));
    else if (property instanceof Organization company) line("org", company.getValues());
    else if (property instanceof Email email) line("email", List.of(email.getValue()));
    else if (property instanceof Telephone phone) line("tel", List.of(phone.getText() == null ? phone.getUri().toString() : phone.getText()));
    else if (property instanceof Url url) line("url", List.of(url.getValue()));
    else if (property instanceof Note note) line("note", List.of(note.getValue()));
    else if (property instanceof Photo photo) line("photo", List.of(Base64.getEncoder().encodeToString(photo.getData())));
    else if (property instanceof RawProperty raw) line(raw.getPropertyName().toLowerCase(), List.of(raw.getValue()));
    else throw new IllegalArgumentException("hardening/ReadVcards.java has no line for " + property.getClass().getName());
  }

  static String or(String value) {
    return value == null ? "" : value;
  }

  static void line(String name, List<String> values) {
    StringBuilder line = new StringBuilder(name);
    for (String value : values)
      line.append(' ').append(Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
    System.out.println(line);
  }
}
