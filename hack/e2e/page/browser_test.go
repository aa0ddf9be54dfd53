package page_test

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browser is one running browser. Each row has its own profile in it.
type browser struct{ ctx context.Context }

// startBrowser starts Chromium; where there is none, nothing is tried, and the test says so.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "headless_shell"} {
		if found, err := exec.LookPath(name); err == nil {
			program = found
			break
		}
	}
	if program == "" {
		t.Skip("there is no Chromium here: apt-get install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, // root has no sandbox
		chromedp.Flag("enable-precise-memory-info", true), chromedp.Flag("lang", "en-US"),
		chromedp.Flag("host-resolver-rules", "MAP "+rebound+" 127.0.0.1"))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	must(t, chromedp.Do(ctx))
	return &browser{ctx}
}

// patience is how long is waited for what has to come. It is generous: the machine may be busy.
const patience = 20 * time.Second

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", patience, what)
		}
	}
}

// look is how the screen of a tab is.
type look struct {
	width, height int64
	dark          bool
}

func (l look) String() string {
	return fmt.Sprintf("%dx%d %s", l.width, l.height, map[bool]string{false: "light", true: "dark"}[l.dark])
}

var (
	wide  = look{width: 1400, height: 900}
	phone = look{width: 390, height: 844}
)

// tab is one tab, with what went wrong in it.
type tab struct {
	t    *testing.T
	ctx  context.Context
	seen *complaints
}

// complaints are what the browser says against a page: errors of scripts and of the console, and what
// its rules forbade.
type complaints struct {
	mu  sync.Mutex
	all []string
}

func (c *complaints) add(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, text)
}

func (c *complaints) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.all
	c.all = nil
	return all
}

func (c *complaints) hear(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		c.add("exception: " + e.ExceptionDetails.Text + " " + words([]*runtime.RemoteObject{e.ExceptionDetails.Exception}))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning || e.Type == runtime.ConsoleAPICalledTypeAssert {
			c.add(fmt.Sprintf("console.%s: %s", e.Type, words(e.Args)))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			c.add(fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	}
}

func words(args []*runtime.RemoteObject) string {
	var all []string
	for _, a := range args {
		if a == nil {
			continue
		}
		all = append(all, fmt.Sprint(a.Value, " ", a.Description))
	}
	return strings.Join(all, " ")
}

// newTab opens an empty tab: of a new profile, or of the one that another tab has.
func (b *browser) newTab(t *testing.T, beside *tab, l look) *tab {
	t.Helper()
	seen := &complaints{}
	parent, options := b.ctx, []chromedp.ContextOption{chromedp.WithListener(seen.hear)}
	if beside == nil {
		options = append(options, chromedp.WithNewBrowserContext())
	} else {
		parent = beside.ctx
	}
	ctx, cancel := chromedp.NewContext(parent, options...)
	t.Cleanup(cancel)
	p := &tab{t: t, ctx: ctx, seen: seen}
	_, err := chromedp.Call(ctx, log.Enable, cdp.Empty{})
	must(t, err)
	p.show(l)
	return p
}

// show gives the tab another look.
func (p *tab) show(l look) {
	p.t.Helper()
	scheme := map[bool]string{false: "light", true: "dark"}[l.dark]
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
	must(p.t, err)
	p.do(chromedp.EmulateViewport(l.width, l.height))
}

// open opens the page of a shop in a tab, by the hand-over of the command.
func (d *driver) open(t *testing.T, s *shop, l look) *tab {
	t.Helper()
	p := d.browser.newTab(t, nil, l)
	p.enter(s)
	return p
}

// enter goes to the page of a shop, and waits until it is live.
func (p *tab) enter(s *shop) {
	p.t.Helper()
	p.do(chromedp.Navigate(s.handOver()))
	p.live()
}

// live waits until the page follows the controller, and has drawn what needs somebody.
func (p *tab) live() {
	p.t.Helper()
	p.wait("the page is live", `document.querySelector("#live-text")?.textContent === "live" && document.querySelector("#needs-list").children.length > 0 && !document.querySelector("#needs-list").textContent.includes("Reading")`)
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatalf("the browser: %v; it says %q", err, p.seen.take())
	}
}

// eval evaluates an expression in the page, and waits for it where it is a promise.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 2*patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%.200s: %v", expression, err)
	}
	return value
}

// wait waits until an expression is true in the page, which may be about to become another one.
func (p *tab) wait(what, expression string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 2*patience)
	defer cancel()
	holds := func() bool {
		is, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		return err == nil && is
	}
	for end := time.Now().Add(patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("not within %s: %s; the browser says %q; the page: %.2000s", patience, what, p.seen.take(), eval[string](p, `document.body.innerText`))
		}
	}
}

// at goes to a place of the page.
func (p *tab) at(hash string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf("(location.hash = %q, true)", hash))
	p.settle()
}

// has reports whether there is such an element in the page.
func (p *tab) has(selector string) bool {
	p.t.Helper()
	return eval[bool](p, fmt.Sprintf("!!document.querySelector(%q)", selector))
}

// text is what can be read in an element.
func (p *tab) text(selector string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", selector))
}

// quiet fails where the browser said something against the page.
func (p *tab) quiet(except ...string) {
	p.t.Helper()
	for _, said := range p.seen.take() {
		if !slices.ContainsFunc(except, func(known string) bool { return strings.Contains(said, known) }) {
			p.t.Errorf("the browser says: %s", said)
		}
	}
}
