// SPDX-License-Identifier: Apache-2.0
/// \file
/// Work in a process of its own: a crash of it is a result like others.
#pragma once

#include <functional>
#include <string>
#include <utility>

namespace cutaway::testing {

class Child {
public:
    struct End {
        std::string text;
        int signal = 0; ///< that ended it; 0: it ended by itself
    };

    /// Begins to compute a text. What it begins itself ends with it, and it with this process.
    explicit Child(const std::function<std::string()>& compute);
    Child(Child&& other) noexcept
        : process_(std::exchange(other.process_, -1)), pipe_(std::exchange(other.pipe_, -1)) {}
    Child& operator=(Child&&) = delete;
    ~Child();

    /// Readable when there is a text, or none will come.
    int descriptor() const { return pipe_; }
    /// Waits for it.
    End end();
    /// Ends it, and what it began.
    void kill() const;

private:
    int process_ = -1, pipe_ = -1;
};

} // namespace cutaway::testing
