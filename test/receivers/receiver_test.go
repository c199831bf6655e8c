// Logs, for each vector, the id of the event or "refused". Run beside receiver.go.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"
)

type vector struct {
	Name    string            `json:"name"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Secrets []string          `json:"secrets"`
	Now     int64             `json:"now"`
}

func TestVectors(t *testing.T) {
	text, err := os.ReadFile(os.Getenv("VECTORS"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Vectors []vector `json:"vectors"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, one := range file.Vectors {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		event, err := VerifyEvent([]byte(one.Body), header, one.Secrets, time.Unix(one.Now, 0))
		id := "refused"
		if err == nil {
			id = event.ID
		}
		fmt.Printf("%s\t%s\n", one.Name, id)
	}
}
