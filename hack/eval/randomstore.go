package main

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
)

// day is a day of the month that stores of this program live in.
func day(n int) resources.Time {
	return resources.NewTime(time.Date(2026, time.March, n, 9, 0, 0, 0, time.UTC))
}

func header(name string, created int) resources.Header {
	return resources.Header{Metadata: resources.Meta{Name: name, CreationTimestamp: day(created)}}
}

// texts are the sorts of text that people and agents put into objects: prose, code, other
// scripts, and what no tokenizer likes.
var texts = []struct {
	name string
	make func(*rand.Rand) string
}{
	{"words in English", func(r *rand.Rand) string {
		return words(r, "the session token is kept in a cookie because any script can read what the page stores; renew it after thirty days, and never log it.")
	}},
	{"words of code", func(r *rand.Rand) string {
		return words(r, "func (s *Store) Put(ctx context.Context, key Key, spec []byte, rev string) (string, error) { if err != nil { return \"\", fmt.Errorf(\"put %s: %w\", key, err) } }")
	}},
	{"identifiers and paths", func(r *rand.Rand) string {
		return words(r, "cmd/internal/hook/context_test.go:268 TestATurnIsToldWhatChanged MAX_RETRY_COUNT refreshTokenAfterLogin v1.26.0-rc.3 --no-verify 0x7fffdeadbeef")
	}},
	{"words in Vietnamese", func(r *rand.Rand) string {
		return words(r, "Phiên đăng nhập được giữ trong cookie vì mọi tập lệnh đều đọc được; gia hạn sau ba mươi ngày.")
	}},
	{"words in German", func(r *rand.Rand) string {
		return words(r, "Die Sitzung wird nach dreißig Tagen überprüft und verlängert; Zugangsdaten dürfen niemals protokolliert werden.")
	}},
	{"words in Chinese, Japanese, Korean", func(r *rand.Rand) string {
		return words(r, "登录 会话 令牌 保存在 浏览器 因为 任何 脚本 都 可以 读取 セッション を 延長 する 한국어 문장")
	}},
	{"words in Russian, Greek, Arabic", func(r *rand.Rand) string {
		return words(r, "Сессия продлевается через тридцать дней , Η συνεδρία ανανεώνεται μετά από τριάντα ημέρες تُجدد الجلسة بعد ثلاثين يوما")
	}},
	{"symbols and emoji", func(r *rand.Rand) string {
		return words(r, "🚀 ✅ → ≠ ∑ 👩‍💻 ☂ ¯\\_(ツ)_/¯ 🇻🇳 — … “quoted” ½ µs")
	}},
	{"base64", func(r *rand.Rand) string {
		data := make([]byte, 20+r.IntN(200))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		return base64.StdEncoding.EncodeToString(data)
	}},
	{"hexadecimal", func(r *rand.Rand) string { return fmt.Sprintf("%x %d %08b", r.Uint64(), r.Uint64(), r.IntN(256)) }},
	{"punctuation", func(r *rand.Rand) string {
		return strings.Repeat([]string{"=", "- ", "\n\n", "<>&", "\t", "{}();", "#", "|  "}[r.IntN(8)], 1+r.IntN(40))
	}},
	{"random letters", func(r *rand.Rand) string {
		letters := make([]byte, 10+r.IntN(60))
		for i := range letters {
			letters[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[r.IntN(52)]
		}
		return string(letters)
	}},
}

// words picks some words of a text.
func words(r *rand.Rand, text string) string {
	fields := strings.Fields(text)
	picked := make([]string, 1+r.IntN(30))
	for i := range picked {
		picked[i] = fields[r.IntN(len(fields))]
	}
	return strings.Join(picked, " ")
}

// text is some of these, most of it of one sort.
func text(r *rand.Rand, most int) string {
	sort := texts[r.IntN(len(texts))].make
	var parts []string
	for range 1 + r.IntN(most) {
		if r.IntN(4) == 0 {
			parts = append(parts, texts[r.IntN(len(texts))].make(r))
		} else {
			parts = append(parts, sort(r))
		}
	}
	return strings.Join(parts, []string{" ", "\n", ". "}[r.IntN(3)])
}

// randomInput is a store of random size with texts of all sorts and a random budget.
func randomInput(r *rand.Rand) packer.Input {
	config := resources.DefaultConfig()
	config.ContextWindow, config.ContextShare, config.ContextMinCharacters = 2000+r.IntN(60000), 1+r.IntN(30), r.IntN(4000)
	for range r.IntN(6) {
		config.ProjectFacts = append(config.ProjectFacts, text(r, 2))
	}
	in := packer.Input{Day: day(12).Time, Config: &config, Intent: text(r, 1), Active: []string{"t-0"}}
	if r.IntN(2) == 0 {
		in.Limit = 1500 + r.IntN(12000)
	}
	for i := range 1 + r.IntN(12) {
		spec := resources.TaskSpec{WorkPlan: "p", Title: text(r, 1), ExpectedOutput: text(r, 4), State: "active"}
		if i > 0 && r.IntN(2) == 0 {
			spec.DependsOn = []string{fmt.Sprint("t-", r.IntN(i))}
		}
		in.Tasks = append(in.Tasks, packer.Task{
			Object: &resources.Task{Header: header(fmt.Sprint("t-", i), 1+i), Spec: spec},
			Status: resources.TaskStatus{Common: resources.Common{Phase: resources.TaskActive}},
		})
	}
	for i := range r.IntN(60) {
		spec := resources.MemSpec{Title: text(r, 1), Content: text(r, 8), Tags: strings.Fields(words(r, "auth store gate hook"))[:1]}
		if r.IntN(4) == 0 {
			spec.Type = resources.FalsePath
		}
		in.Mems = append(in.Mems, packer.Mem{
			Object: &resources.Mem{Header: header(fmt.Sprint("m-", i), 1+i%20), Spec: spec},
			Status: resources.MemStatus{Common: resources.Common{Phase: resources.Fresh}, Confidence: r.IntN(101)},
		})
	}
	for i := range r.IntN(10) {
		in.Anchors = append(in.Anchors, packer.Anchor{
			Object: &resources.Anchor{Header: header(fmt.Sprint("a-", i), 1+i), Spec: resources.AnchorSpec{Content: text(r, 3), Priority: []string{"critical", "high", "normal"}[r.IntN(3)]}},
			Status: resources.AnchorStatus{Common: resources.Common{Phase: resources.Fresh}},
		})
	}
	return in
}
