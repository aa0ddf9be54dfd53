package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestProgressSpeaksAfterASecond(t *testing.T) {
	var out bytes.Buffer
	now := time.Now()
	p := newProgress(&out, func() time.Time { return now })
	p.tell(1, 100)
	now = now.Add(900 * time.Millisecond)
	p.tell(2, 100)
	assert.Empty(t, out.String(), "what is done at once says nothing")
	for i := range 100 {
		now = now.Add(100 * time.Millisecond)
		p.tell(i, 100)
	}
	p.end()
	assert.Equal(t, 2, strings.Count(out.String(), "\n"), "a line every five seconds where nobody looks on: %s", out.String())
	assert.Contains(t, out.String(), "writing: 1 of 100")

	out.Reset()
	p = newProgress(&out, func() time.Time { return now })
	p.live = true
	now = now.Add(2 * time.Second)
	p.tell(50, 100)
	p.end()
	assert.Equal(t, "\rwriting: 50 of 100\n", out.String())
}
