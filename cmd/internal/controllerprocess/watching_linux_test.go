package controllerprocess

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

const objectsURL = "http://x/apis/idumb.dev/v1alpha1/"

// caller asks the controller of a repository as curl does.
func caller(root string) *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		run, err := os.Open(filepath.Join(root, layout.RunDir))
		if err != nil {
			return nil, err
		}
		defer run.Close()
		var d net.Dialer
		return d.DialContext(ctx, "unix", fmt.Sprintf("/proc/self/fd/%d/api.sock", run.Fd()))
	}}}
}

// identity is what tells an object.
type identity struct {
	Metadata struct{ Name, ResourceVersion string }
}

// list is what a fresh list says, by name, and its version.
func list(ctx context.Context, c *http.Client, query string) (map[string]string, string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, objectsURL+query, nil)
	if err != nil {
		return nil, "", err
	}
	response, err := c.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	var answer struct {
		Metadata struct{ ResourceVersion string }
		Items    []json.RawMessage
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, "", err
	}
	if response.StatusCode != http.StatusOK {
		return nil, "", fmt.Errorf("%d", response.StatusCode)
	}
	objects := map[string]string{}
	for _, item := range answer.Items {
		var id identity
		if err := json.Unmarshal(item, &id); err != nil {
			return nil, "", err
		}
		objects[id.Metadata.Name] = string(item)
	}
	return objects, answer.Metadata.ResourceVersion, nil
}

// mirror is what a watcher made of the list that it got and the events since.
type mirror struct {
	kind, selector string
	initial        bool // it asks for what there is with the watch

	mu      sync.Mutex
	objects map[string]string
	lists   int
	wrong   []string
}

func (m *mirror) query(more string) string {
	return m.kind + "?" + m.selector + more
}

// follow lists and watches, as informers do, until ctx ends.
func (m *mirror) follow(ctx context.Context, c *http.Client) {
	version := ""
	for ctx.Err() == nil {
		if version == "" && !m.initial {
			objects, at, err := list(ctx, c, m.query(""))
			if err != nil {
				time.Sleep(5 * time.Millisecond)
				continue
			}
			m.mu.Lock()
			m.objects, version = objects, at
			m.lists++
			m.mu.Unlock()
		}
		version = m.watch(ctx, c, version)
	}
}

// watch takes events until the stream ends, and returns the version that was reached; "" says
// that it is to be listed again.
func (m *mirror) watch(ctx context.Context, c *http.Client, version string) string {
	more := "&watch=true&allowWatchBookmarks=true&resourceVersion=" + version
	if version == "" {
		more += "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, objectsURL+m.query(more), nil)
	if err != nil {
		return ""
	}
	response, err := c.Do(request)
	if err != nil {
		time.Sleep(5 * time.Millisecond)
		return version
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusServiceUnavailable { // it ends
		return version
	}
	var begin map[string]string // what there is at the beginning, until all of it came
	if version == "" {
		begin = map[string]string{}
	}
	lines := bufio.NewReader(response.Body)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			if err != io.EOF && ctx.Err() == nil {
				m.complain("the stream breaks off: %v", err)
			}
			if begin != nil {
				return ""
			}
			return version
		}
		var event struct {
			Type   string
			Object json.RawMessage
		}
		var id identity
		if json.Unmarshal(line, &event) != nil || json.Unmarshal(event.Object, &id) != nil {
			m.complain("what is %s", line)
			return ""
		}
		switch {
		case event.Type == "ERROR":
			return ""
		case event.Type == "BOOKMARK" && begin != nil:
			m.mu.Lock()
			m.objects, begin = begin, nil
			m.lists++
			m.mu.Unlock()
		case begin != nil:
			begin[id.Metadata.Name] = string(event.Object)
			continue
		default:
			m.apply(event.Type, id.Metadata.Name, string(event.Object))
		}
		if version != "" && (len(id.Metadata.ResourceVersion) < len(version) || id.Metadata.ResourceVersion < version) {
			m.complain("%s comes after %s", id.Metadata.ResourceVersion, version)
		}
		version = id.Metadata.ResourceVersion
	}
}

func (m *mirror) apply(what, name, object string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch _, known := m.objects[name]; {
	case what == "BOOKMARK":
		return
	case what == "ADDED" && known, what == "MODIFIED" && !known, what == "DELETED" && !known:
		m.wrong = append(m.wrong, what+" "+name+" "+object)
	case what == "DELETED":
		delete(m.objects, name)
		return
	}
	m.objects[name] = object
}

func (m *mirror) complain(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wrong = append(m.wrong, fmt.Sprintf(format, args...))
}

// Whoever lists once and applies each event has what a fresh list says, whatever is done to the
// files, whichever selectors, and when controllers end and come.
func TestWatchersSeeWhatAFreshListSays(t *testing.T) {
	t.Parallel()
	root := repository(t)
	ctx, stop := context.WithCancel(t.Context())
	start := func() (end func()) {
		running, cancel := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- Run(running, Options{Root: root}) }()
		return func() { cancel(); assert.NoError(t, <-ended) }
	}
	end := start()
	client := caller(root)
	var mirrors []*mirror
	var following sync.WaitGroup
	for i, selector := range []string{"", "labelSelector=area%3Dweb", "labelSelector=!area", "fieldSelector=status.phase%3Dblocked", "fieldSelector=metadata.name!%3Dt3,spec.workPlan%3Dp"} {
		for _, kind := range []string{"tasks", "workplans"} {
			m := &mirror{kind: kind, selector: selector, initial: i%2 == 1}
			mirrors = append(mirrors, m)
			following.Go(func() { m.follow(ctx, client) })
		}
	}
	r := rand.New(rand.NewPCG(11, 2026))
	for round := range 500 {
		editAtRandom(t, root, r)
		switch {
		case round%170 == 169:
			end()
			end = start()
		case round%50 == 49:
			agree(t, client, mirrors)
		case r.IntN(4) == 0:
			time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
		}
	}
	agree(t, client, mirrors)
	stop()
	following.Wait()
	end()
	for _, m := range mirrors {
		assert.Empty(t, m.wrong, m.query(""))
		assert.Less(t, m.lists, 6, "it lists again for a new controller, and for nothing else")
	}
}

// agree waits until each mirror shows what a fresh list says.
func agree(t *testing.T, c *http.Client, mirrors []*mirror) {
	t.Helper()
	for _, m := range mirrors {
		var fresh, mirrored map[string]string
		same := func() bool {
			var err error
			if fresh, _, err = list(t.Context(), c, m.query("")); err != nil {
				return false
			}
			m.mu.Lock()
			defer m.mu.Unlock()
			mirrored = maps.Clone(m.objects)
			return maps.Equal(fresh, mirrored)
		}
		if !assert.Eventually(t, same, 20*time.Second, 5*time.Millisecond) {
			require.Equal(t, fresh, mirrored, m.query(""))
		}
	}
}

// editAtRandom changes one file as people, agents and editors do.
func editAtRandom(t *testing.T, root string, r *rand.Rand) {
	t.Helper()
	name := fmt.Sprint("t", r.IntN(8))
	file := filepath.Join(root, ".idumb", "tasks", name+".json")
	switch r.IntN(8) {
	case 0:
		_ = os.Remove(file)
	case 1:
		write(t, root, ".idumb/tasks/"+name+".json", `{"spec": {"workPlan": "p"`)
	case 2:
		write(t, root, ".idumb/workplans/p.json", fmt.Sprintf(`{"metadata": {"labels": {%s}}, "spec": {"title": "P%d", "acceptance": ["done"], "state": %q}}`,
			label(r), r.IntN(9), []string{"active", "draft"}[r.IntN(2)]))
	default:
		text := fmt.Sprintf(`{"metadata": {"labels": {%s}}, "spec": {"workPlan": %q, "expectedOutput": "%d", "dependsOn": ["t%d"], "state": %q}}`,
			label(r), []string{"p", "p", "q"}[r.IntN(3)], r.IntN(9), r.IntN(8), []string{"planned", "active", "completed"}[r.IntN(3)])
		write(t, root, ".idumb/tasks/"+name+".json~", text)
		require.NoError(t, os.Rename(file+"~", file))
	}
}

func label(r *rand.Rand) string { return []string{"", `"area": "web"`, `"area": "db"`}[r.IntN(3)] }

// A controller that would end by itself does not end under an open watch.
func TestAControllerStaysUnderAWatch(t *testing.T) {
	t.Parallel()
	root := repository(t)
	ended := make(chan error, 1)
	go func() { ended <- Run(t.Context(), Options{Root: root, UntilIdle: time.Second}) }()
	client := caller(root)
	ctx, hangUp := context.WithCancel(t.Context())
	var response *http.Response
	eventually(t, "an answer", func() bool {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, objectsURL+"tasks?watch=true&"+url.Values{"fieldSelector": {"metadata.name=later"}}.Encode(), nil)
		require.NoError(t, err)
		response, err = client.Do(request)
		return err == nil && response.StatusCode == http.StatusOK
	})
	defer response.Body.Close()
	select {
	case err := <-ended:
		t.Fatalf("it ended: %v", err)
	case <-time.After(2500 * time.Millisecond):
	}
	write(t, root, ".idumb/tasks/later.json", `{"spec": {"workPlan": "p", "expectedOutput": "x"}}`)
	line, err := bufio.NewReader(response.Body).ReadString('\n')
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(line, `{"type":"ADDED"`), line)
	hangUp()
	require.NoError(t, <-ended, "nobody looks on any more")
}
