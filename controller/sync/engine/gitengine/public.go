package gitengine

import (
	"context"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/gitcommand"
)

// publicTimeout is the timeout of an anonymous request.
const publicTimeout = 10 * time.Second

// Public reports whether a remote can be read without credentials. It checks an
// ssh remote over https, because most hosting services offer both. An
// unreachable remote counts as not public.
func Public(ctx context.Context, remote string) bool {
	address := anonymousURL(remote)
	if address == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, publicTimeout)
	defer cancel()
	c := gitcommand.Anonymous(ctx, "-c", "http.followRedirects=true", "ls-remote", "--quiet", "--", address, "HEAD")
	c.WaitDelay = time.Second
	return c.Run() == nil
}

// scp matches a remote in scp syntax: user@host:path. See git-clone(1), GIT
// URLS.
var scp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[^@/:]+@)?([^@/:\[\]]+\.[^@/:\[\]]+):(.+)$`) })

// anonymousURL returns the URL for anonymous access to a remote, or "" if there is
// none.
func anonymousURL(remote string) string {
	if u, err := url.Parse(remote); err == nil && u.Host != "" {
		switch u.Scheme {
		case "http", "https", "git":
			u.User = nil
			return u.String()
		case "ssh", "git+ssh", "ssh+git":
			return "https://" + u.Hostname() + "/" + strings.TrimPrefix(u.Path, "/")
		}
		return ""
	}
	if m := scp().FindStringSubmatch(remote); m != nil {
		return "https://" + m[1] + "/" + strings.TrimPrefix(m[2], "/")
	}
	return ""
}
