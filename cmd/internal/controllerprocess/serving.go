package controllerprocess

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/doctor/objectchecks"
	"github.com/idumb-dev/idumb/cmd/internal/show/tree"
	"github.com/idumb-dev/idumb/cmd/internal/tools"
	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/adopt"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/planvisibility"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/kube"
	"github.com/idumb-dev/idumb/controller/serve/page"
	"github.com/idumb-dev/idumb/controller/serve/queries/code"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/reconcilers"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/graph"
)

// sockets contains the server's callbacks to the controller.
type sockets struct {
	stop         func() // requests the end of the controller
	answered     func() // called after a query or a watcher
	hookAnswered func() // called after a hook; nil for none
	specs        *hooks.Specs
	carry        hooks.Carrier      // writes specs for hooks
	repo         func() mutate.Repo // opens the repository for a change that a user requests
	files        *inventory.Inventory
	code         *CodeNotifier // code notices for files
}

// newMap returns the index of the working tree's files and its notifier, and connects both with
// packs.
func newMap(root layout.Root, packs *reconcilers.Packs) (*inventory.Inventory, *CodeNotifier) {
	packs.Project, packs.Code = root.ProjectLines, root.CodeFiles
	packs.Rights = func(r graph.Reader, session string, now time.Time) admission.Rights {
		return hooks.Backend{Reader: r}.GateFor(root, session, os.Environ(), now).Rights()
	}
	packs.Unseen = func() string { return planvisibility.Look(root, os.Getenv).Advice() }
	files := inventory.Background(root)
	return files, NewCodeNotifier(root, files, packs.Files)
}

// serveSockets starts the server of a controller that holds the lease. It answers hooks after the
// first listing and until ctx is cancelled, because the cache is incomplete before and outdated
// after.
func serveSockets(ctx context.Context, o Options, m *controller.Manager, packs *reconcilers.Packs, tell sockets, log *slog.Logger) *serve.Server {
	root := layout.Root(o.Root)
	objects := serve.NewQuestions(ctx, root, m, packs.Stock(), tell.files, slices.Concat(tree.Questions(), objectchecks.Questions(), tools.Questions(), code.Questions())...)
	api := kube.New(kube.Options{Root: root, Version: o.Version, Log: log, Objects: objects, Repo: tell.repo, IdleAfter: kube.IdleAfter})
	pages := page.New(ctx, page.Options{Root: root, API: objects, Repo: tell.repo(), User: cmp.Or(os.Getenv("USER"), os.Getenv("USERNAME"), "person"), Log: log})
	server := serve.New(root, serve.Options{Version: o.Version, Log: log, Status: m.Heartbeat, Stop: tell.stop, OnIdle: tell.answered, OnHookAnswer: tell.hookAnswered, API: api.WrapLocal(objects), Page: pages})
	api.SetCounter(server.CountActive)
	pages.Counted = server.CountActive
	openSockets(server, log)
	api.OpenAgain()
	pages.OpenAgain()
	context.AfterFunc(ctx, api.Close)
	go func() {
		if m.WaitListed(ctx) == nil {
			server.AnswerHooks(hookAnswerer(o, m, hooks.Backend{Contexts: packs, Code: tell.code, Specs: tell.specs, Carrier: tell.carry, Project: adopt.Project}))
			<-ctx.Done()
		}
		server.AnswerHooks(nil)
	}()
	return server
}

// hookAnswerer returns the answerer of Options.Hooks, otherwise the default one.
func hookAnswerer(o Options, m *controller.Manager, backend hooks.Backend) serve.HookAnswerer {
	if o.Hooks != nil {
		return o.Hooks(m)
	}
	return serve.NewAnswerer(layout.Root(o.Root), m, backend)
}

// openSockets opens the server's sockets. If it cannot, it logs a warning; all programs then read
// the files.
func openSockets(server *serve.Server, log *slog.Logger) {
	if err := server.Open(); err != nil {
		log.Warn("cannot serve queries; hooks and commands read the files", "controller", "serve", "error", err)
	}
}
