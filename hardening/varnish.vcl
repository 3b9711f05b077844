vcl 4.1;
# A CDN for the test of purges: two nodes in turn, cards kept as their headers say.
import directors;

backend first { .host = "127.0.0.1"; .port = "FIRST"; }
backend second { .host = "127.0.0.1"; .port = "SECOND"; }

sub vcl_init {
  new nodes = directors.round_robin();
  nodes.add_backend(first);
  nodes.add_backend(second);
}

sub vcl_recv {
  if (req.method == "PURGE") {
    ban("obj.http.x-path == " + req.url);
    return (synth(200));
  }
  set req.backend_hint = nodes.backend();
}

sub vcl_backend_response {
  set beresp.http.x-path = regsub(bereq.url, "\?.*", "");
  # A CDN of this kind has no stale answers.
  set beresp.grace = 0s;
}

sub vcl_deliver {
  set resp.http.x-hits = obj.hits;
}
