// Shared by compile/'s tests: temporary folders, environment variables, and compiling a text.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "compile/compiler.hpp"
#include "support/catch.hpp"

namespace warpgrade::test {

class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "warpgrade-XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name, std::ios::binary) << text;
        return (path_ / name).string();
    }

private:
    std::filesystem::path path_;
};

// Sets a variable, or unsets it for nullptr, until the end of the scope.
class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        value ? setenv(name, value, 1) : unsetenv(name);
    }
    ~Variable() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }
    Variable(const Variable&) = delete;

private:
    const char* name_;
    std::optional<std::string> old_;
};

// Says why a test that needs NVRTC does nothing; true if it has to be left.
inline bool lacks_nvrtc() {
    if (const auto found = find_nvrtc(); !found) {
        WARN("skipped: " << found.error().title);
        return true;
    }
    return false;
}

inline CompileRequest request_for(const std::string& source, const std::string& path = "stage.cu") {
    CompileRequest request;
    request.path = path;
    request.source = source;
    return request;
}

// Compiles without a cache; fails the test if compile() itself gives an error.
inline CompileOutput compiled(const CompileRequest& request) {
    const Variable no_cache("WARPGRADE_CACHE", "");
    auto output = compile(request);
    if (!output) FAIL(output.error().title << " " << (output.error().facts.empty() ? "" : output.error().facts[0]));
    for (const CompilerMessage& message : output->messages)
        UNSCOPED_INFO(to_string(message.severity)
                      << " " << message.path << ":" << message.line << ":" << message.column << " " << message.message);
    return *output;
}

inline CompileOutput compiled(const std::string& source) { return compiled(request_for(source)); }

inline bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The first message about `line`; an empty one if there is none.
inline CompilerMessage message_at(const CompileOutput& output, int line) {
    for (const CompilerMessage& message : output.messages)
        if (message.line == line) return message;
    return {};
}

}  // namespace warpgrade::test
