package page_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// attacks are what strangers write into fields.
var attacks = []string{
	`<img src=x onerror="window.owned=1">`,
	`"><script>window.owned=1</script>`,
	`javascript:window.owned=1`,
	"\x1b]52;c;b3duZWQ=\x07 clipboard",
	"\u009b31m C1 \u0090q",
	"\u202egnp.exe \u2066 turned",
	"z" + strings.Repeat("\u0301", 2000),
	strings.Repeat("廣", 300),
	strings.Repeat("W", 300),
	"</textarea></pre></svg><iframe srcdoc='<script>parent.owned=1</script>'>",
	"{{constructor.constructor('window.owned=1')()}} ${owned=1}",
	"\ufeff\u200b\u00ad\u2028line\u2029" + "\U000e0041 tag",
}

// hostileStore has them in every field that takes text, each in turn.
func hostileStore() files {
	n := 0
	evil := func() string { n++; return attacks[n%len(attacks)] }
	store := files{}
	for i := range attacks {
		plan := fmt.Sprintf("plan-%d", i)
		store["workplans/"+plan] = map[string]any{"metadata": map[string]any{"annotations": map[string]any{"a": evil()}}, "spec": map[string]any{"title": attacks[i], "state": "active", "acceptance": []string{evil()},
			"phases": []map[string]any{{"name": attacks[i], "order": 1}}}}
		for j, state := range []string{"", "active", "failed", "completed", "review"} {
			spec := map[string]any{"title": attacks[(i+j)%len(attacks)], "workPlan": plan, "phase": attacks[i], "expectedOutput": evil(), "description": evil(), "notes": evil(), "reason": evil(),
				"assignedTo": evil(), "delegatedBy": evil(), "paths": []string{evil()}, "result": map[string]any{"evidence": evil(), "testsRun": evil()}, "evidence": []map[string]any{{"command": evil()}}}
			if state != "" {
				spec["state"] = state
			}
			if state == "" {
				delete(spec, "result")
			}
			if j == 4 {
				spec["dependsOn"] = []string{fmt.Sprintf("task-%d-0", i), evil()}
			}
			store[fmt.Sprintf("tasks/task-%d-%d", i, j)] = map[string]any{"spec": spec}
		}
		store[fmt.Sprintf("sessions/session-%d", i)] = session(evil(), attacks[i], fmt.Sprintf("task-%d-1", i), 0, map[string]any{"state": "waiting", "waitsFor": []string{"permission", "answer", "input"}[i%3], "asks": attacks[i], "since": ago(0),
			"counters": map[string]any{"denials": 3, "violations": 2, "repeats": 5, "failures": 4}})
		store[fmt.Sprintf("mems/mem-%d", i)] = map[string]any{"spec": map[string]any{"title": evil(), "content": attacks[i], "tags": []string{evil()}, "evidence": []map[string]any{{"path": "no/such", "section": evil(), "note": evil()}}}}
		store[fmt.Sprintf("comments/c-176380620012%d-9f2c", i)] = map[string]any{"spec": map[string]any{"about": fmt.Sprintf("task/task-%d-1", i), "type": "note", "body": attacks[i], "author": evil()}}
		store[fmt.Sprintf("delegations/d-%d", i)] = map[string]any{"spec": map[string]any{"task": fmt.Sprintf("task-%d-1", i), "to": evil(), "from": evil(), "reason": evil()}}
	}
	return store
}

// harm looks for what must not be in a page: elements that nobody draws here, attributes that run,
// addresses that lead away, characters that hide or turn the writing, and letters under a heap of marks.
const harm = `(() => {
  const drawn = new Set("HTML HEAD META TITLE LINK SCRIPT BODY A HEADER SPAN NAV BUTTON KBD P MAIN H1 H2 H3 SECTION OL UL LI DIV LABEL SELECT OPTION CANVAS TABLE CAPTION THEAD TBODY TR TH TD ASIDE DETAILS SUMMARY PRE CODE B I DL DT DD METER TIME INPUT TEXTAREA DIALOG TEMPLATE svg g path rect text circle title".split(" "));
  const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]|\p{M}{6}/u, found = [];
  if (window.owned) found.push("a script ran");
  for (const e of document.querySelectorAll("*")) {
    if (!drawn.has(e.tagName)) found.push("element " + e.tagName);
    if (e.tagName === "SCRIPT" && new URL(e.src).origin !== location.origin) found.push("script " + e.src);
    for (const a of e.attributes) {
      if (/^on/i.test(a.name) || a.name === "style" || a.name === "srcdoc") found.push("attribute " + a.name);
      if (/^(href|src|action|formaction|xlink:href)$/i.test(a.name) && !/^(#|icon\.svg|app\.css|main\.js|stream\.js)/.test(a.value)) found.push(a.name + " " + a.value);
      if (hidden.test(a.value)) found.push(a.name + " of " + e.tagName + ": " + JSON.stringify(a.value.slice(0, 80)));
    }
    for (const n of e.childNodes) if (n.nodeType === 3 && hidden.test(n.data)) found.push("text in " + e.tagName + ": " + JSON.stringify(n.data.slice(0, 80)));
    if (e.value && typeof e.value === "string" && hidden.test(e.value)) found.push("value in " + e.tagName);
  }
  if (hidden.test(document.title)) found.push("title");
  const over = document.documentElement.scrollWidth - innerWidth;
  if (over > 0) found.push(over + " pixels wider than the screen");
  return JSON.stringify([...new Set(found)].slice(0, 20));
})()`

// hostile makes sure that nothing in a store of strangers becomes more than text.
func hostile(t *testing.T, d *driver) {
	s := d.openShop(t, hostileStore(), func(s *shop) { s.write("tasks/broken", map[string]any{"spec": attacks[0]}) })
	p := d.open(t, s, wide)
	views := 0
	safe := func(where string) {
		views++
		var found []string
		must(t, json.Unmarshal([]byte(eval[string](p, harm)), &found))
		if len(found) > 0 {
			t.Errorf("%s: %s", where, strings.Join(found, "; "))
		}
	}
	hashes := []string{"#screen=now", "#screen=gate", "#screen=memory", "#screen=now&ref=task/broken", "#screen=plan&view=outline&find=" + "%3Cimg%20src%3Dx%20onerror%3Downed%3D1%3E", "#screen=%3Cimg%3E&ref=task/%22%3E%3Cscript%3E&open=%3Cb%3E&plan=../x"}
	for i := range attacks {
		for _, view := range []string{"graph", "outline", "board"} {
			hashes = append(hashes, fmt.Sprintf("#screen=plan&plan=plan-%d&view=%s", i, view))
		}
		for _, ref := range []string{"task/task-%d-0", "task/task-%d-1", "task/task-%d-4", "mem/mem-%d", "workplan/plan-%d", "session/session-%d", "delegation/d-%d"} {
			hashes = append(hashes, "#screen=now&ref="+fmt.Sprintf(ref, i))
		}
	}
	for _, l := range []look{wide, phone} {
		p.show(l)
		for i, hash := range hashes {
			if l == phone && i%3 != 0 {
				continue
			}
			p.at(hash)
			if strings.Contains(hash, "view=graph") {
				p.wait("drawn: "+hash, `document.querySelector("#canvas .node")`)
			}
			eval[bool](p, `(document.querySelectorAll("details").forEach(d => d.open = true), true)`)
			safe(hash + " " + l.String())
		}
	}
	p.show(wide)
	p.at("#screen=now")
	for _, keys := range []string{"?", "/", "x", "A"} {
		p.at("#screen=now&ref=task/task-0-1")
		p.press(keys)
		safe("after " + keys)
		p.press(escape)
	}
	p.control("k")
	p.press("<img")
	safe("after Ctrl K <img")
	p.press(escape)
	for i := range attacks { // what comes while somebody looks
		object := map[string]any{"spec": map[string]any{"title": attacks[i] + " live", "workPlan": "plan-0", "expectedOutput": attacks[i], "state": []string{"active", "planned"}[i%2]}}
		s.write("tasks/task-0-1", object)
		p.wait("the change is drawn", fmt.Sprintf(`document.querySelector("#panel").textContent.includes("live") || %v`, slices.Contains([]int{6, 7, 8}, i)))
		safe(fmt.Sprintf("live: attack %d", i))
	}
	p.quiet()
	t.Logf("%d views of %d objects", views, len(hostileStore())+1)
}
