package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestProgressSpeaksAfterASecond(t *testing.T) {
	var out bytes.Buffer
	now := time.Now()
	p := newProgress(&out, func() time.Time { return now })
	for i := range 100 {
		now = now.Add(100 * time.Millisecond)
		p.tell(i, 100)
	}
	p.end()
	assert.Empty(t, out.String(), "where nobody looks on, nothing is said")

	out.Reset()
	p = newProgress(&out, func() time.Time { return now })
	p.live = true
	now = now.Add(900 * time.Millisecond)
	p.tell(2, 100)
	assert.Empty(t, out.String(), "what is done at once says nothing")
	now = now.Add(2 * time.Second)
	p.tell(50, 100)
	p.tell(51, 100)
	p.end()
	assert.Equal(t, "\rwriting: 50 of 100\n", out.String())
}
