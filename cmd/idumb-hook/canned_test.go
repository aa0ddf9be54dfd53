package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// canned is a controller that knows one answer: what it was asked. It runs as a process of
// its own, so that it can be killed and stopped.
func canned(root string) {
	server := serve.New(layout.Root(root), serve.Options{Log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if err := server.Open(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	server.AnswerHooks(cannedAnswers{})
	fmt.Println("ready")
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = server.Close()
	os.Exit(0)
}

type cannedAnswers struct{}

func (cannedAnswers) AnswerHook(_ context.Context, q frame.Question, _ func() int, _ func() bool) (frame.Answer, bool) {
	for word, takes := range map[string]time.Duration{"takes-long": 200 * time.Millisecond, "takes-for-ever": time.Second} {
		if bytes.Contains(q.Event, []byte(word)) {
			time.Sleep(takes)
		}
	}
	out, err := json.Marshal(q)
	return frame.Answer{Exit: 7, Stdout: out, Stderr: []byte("canned")}, err == nil
}
