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

// askPublic is how long a stranger's question may take.
const askPublic = 10 * time.Second

// Public reports whether everybody on the network can read a remote: without a name, a key or a
// password of anybody's. A remote that is reached by ssh is asked for by https, as hosts of many
// repositories offer both. Where nobody answers, it is not known to be.
func Public(ctx context.Context, remote string) bool {
	address := stranger(remote)
	if address == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, askPublic)
	defer cancel()
	c := gitcommand.Anonymous(ctx, "-c", "http.followRedirects=true", "ls-remote", "--quiet", "--", address, "HEAD")
	c.WaitDelay = time.Second
	return c.Run() == nil
}

// scp is a remote as ssh and scp write one: user@host:path. See git-clone(1), GIT URLS.
var scp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[^@/:]+@)?([^@/:\[\]]+\.[^@/:\[\]]+):(.+)$`) })

// stranger is how somebody without any right would read a remote; "" where nobody can from afar.
func stranger(remote string) string {
	u, err := url.Parse(remote)
	if err == nil && u.Host != "" {
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
