package main

import (
	"context"
	"os"
	"time"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// deadProxy is where nobody listens: a machine that is offline.
const deadProxy = "http://127.0.0.1:9"

// npmStall is when npm tries again for the first time after it could not reach its
// registry; it tries three times, in 72 s altogether.
const npmStall = 10 * time.Second

// offlineStart: where npm's registry cannot be reached, OpenCode with a plugin waits for
// npm. With what the installer put beside the plugin it does not: it needs about as
// long as where npm is answered at once. Without that it does; else this would prove nothing.
func offlineStart(s *stage) {
	answered := s.firstRequest(nil)
	offline := []string{
		"HTTPS_PROXY=" + deadProxy, "HTTP_PROXY=" + deadProxy, "https_proxy=" + deadProxy, "http_proxy=" + deadProxy,
	}
	s.check(answered > 0, "OpenCode did not start where npm is answered")
	cured := s.firstRequest(offline)
	s.check(cured > 0 && cured < answered+npmStall/2, "offline the first request took %s, with an answer of npm's %s", cured, answered)

	s.must(os.Remove(s.path(".opencode/.npmrc")))
	s.must(os.RemoveAll(s.path(".opencode/node_modules")))
	sick := s.firstRequest(offline)
	s.check(sick == 0 || sick > cured+npmStall/2, "offline it starts in %s without the installer's cure as well: the cure proves nothing", sick)
}

// firstRequest starts OpenCode and tells how long it took to ask its model, 0 if it did not
// in half a minute.
func (s *stage) firstRequest(env []string) time.Duration {
	asked := make(chan time.Time, 1)
	s.model.Play(mainLane(model.Say("Here.").Doing(func(r *model.Request) error {
		select {
		case asked <- r.Time:
		default:
		}
		return nil
	})))
	ctx, cancel := context.WithTimeout(context.Background(), patience/2)
	defer cancel()
	began := time.Now()
	_, err := s.Run(ctx, clients.Options{Env: env}, "are you there?")
	select {
	case at := <-asked:
		return at.Sub(began)
	default:
		s.check(ctx.Err() != nil, "it ended without asking its model: %v", err)
		return 0
	}
}
